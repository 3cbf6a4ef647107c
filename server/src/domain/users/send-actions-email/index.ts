// Mails a person a link to what an administrator asks of them: a first password, a second factor, their profile.
// Contract 2.48b, 5.2; S9, S41.
// Called under /users/{userId}/send-actions-email; the link leads to /realms/{realm}/login/actions.
export { actionsEmailRoutes } from './routes.ts'
