// Where applications register themselves, and manage what they registered.
// RFC 7591, RFC 7592, OpenID Connect Dynamic Client Registration 1.0; contract 2.22-2.25, 5.7, 7.5; S31.
// Mounted by app/build-app.
export { registerConnect } from './routes.ts'
