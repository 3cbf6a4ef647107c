// How a telephone or program becomes a device of somebody: it shows an enrollment token and signs a challenge with a key of its own.
// Specification part 4 (/device/enroll), contract 4.33, 5.4, 5.7; S39, S41, S48.
// Mounted by app/build-app; the page for people who open the address in a browser is pages/devices.
export { registerDevice } from './routes.ts'
