// What a user must do at the next sign-in before the door opens.
// Contract 0.2, 2.48 and 5.2, specification part 4 (users).
// Called under /users/{userId}/required-actions; the sign-in reads the same column and works it off.
export { requiredActionRoutes } from './routes.ts'
