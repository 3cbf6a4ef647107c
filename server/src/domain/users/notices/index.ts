// Tells people by mail that something of their account changed, so that whoever did not do it hears of it.
// Contract 4.32, 2.84; S39.
// Called by protocols/account, domain/devices and whatever else changes how somebody proves who they are.
export { type AccountChange, tellOfChange } from './service.ts'
