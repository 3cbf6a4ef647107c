// Time-based one-time passwords: enrolling an authenticator app, and using its codes, each time step once.
// RFC 6238, contract 2.46 and 2.47; S39, S40, S51.
// Called by domain/sign-in and by the routes of ..; failed codes are counted by whoever calls, in domain/lockout.
export { totpRoutes } from './routes.ts'
export { confirmTotp, readPendingTotp, startTotp, type TotpEnrolment, useTotp } from './service.ts'
