// A QR code on another screen, read where somebody is signed in: look at it, and let that screen in.
// Specification part 4 (/qr), contract 3.8, 4.35; S9, S12, S39.
// Mounted by app/build-app; asked by the step qr of domain/sign-in.
export { registerQrConfirmation } from './routes.ts'
