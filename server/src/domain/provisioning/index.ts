// How applications and people may come into a realm by themselves: registration, documents, SCIM.
// Contract 4.15, 4.16 and 5.9; the initial access tokens are in the folder of that name.
// Called under /provisioning; domain/registration and the protocols read `provisioningSection`.
export { provisioningContribution } from './contribution.ts'
export { provisioningRoutes } from './routes.ts'
export { Provisioning } from './schema.ts'
export { provisioningSection } from './section.ts'
