// Push tokens: the devices of people that push messages can be sent to.
// Contract 2.86; S51.
// Called under /messaging/push-tokens and by messaging/delivery.
export { pushTokenRoutes } from './routes.ts'
export { eraseTokensOf, exportTokensOf, findPushTargets, markTarget, openPushTarget, tokenPlace } from './service.ts'
