// Questions of a sign-in to a person's devices: read, approve, deny; as JSON for apps and as a page for people.
// Specification part 4 (/push), contract 3.8, 4.34; S9, S12, S39, S40.
// Mounted by app/build-app; asked by the steps push and device-key of domain/sign-in.
export { registerPush } from './routes.ts'
