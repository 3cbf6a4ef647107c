// Push tokens: the devices of people that push messages can be sent to.
// Contract 2.86; S51.
// Called under /messaging/push-tokens, by messaging/delivery, and by domain/devices for those that are enrolled.
export { type DeviceToken, eraseTokensOfDevice, readDeviceToken, registerDeviceToken } from './enrolled.ts'
export { pushTokenRoutes } from './routes.ts'
export { eraseTokensOf, exportTokensOf, findPushTargets, markTarget, openPushTarget, tokenPlace } from './service.ts'
