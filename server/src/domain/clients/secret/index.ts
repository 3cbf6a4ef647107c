// The secret of a client: read once more, or replaced while the old one stays valid for a while.
// Contract 0.1, 2.17, 5.2; S8.
// Called under /clients/{id}/secret; the protocols read secrets with the client.
export { secretRoutes } from './routes.ts'
