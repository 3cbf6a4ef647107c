// Every realm an OAuth 2.0 authorization server and OpenID Connect issuer, on the engine oidc-provider.
// RFC 6749, 7009, 7636, 7662, 8414, 8628, 8707, 9068, 9126, 9207, 9728, OpenID Connect Core, Discovery, logout; contract 2.10-2.21, 4.27-4.31.
// Registered by app/; continues through the one sign-in of domain/sign-in and lives on the realm session.
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import { registerApprovals } from './approvals/index.ts'
import { registerConsent } from './consent.ts'
import { registerDocuments } from './documents.ts'
import { mountEngine } from './mount.ts'

export { oidcContribution } from './contribution.ts'
export { createAccountBearer, createBearerResolver, createTransactionBearer } from './bearer.ts'

export function registerOidc(app: FastifyInstance, services: Services, kit: PageKit): void {
  registerDocuments(app, services, kit)
  registerConsent(app, services, kit)
  registerApprovals(app, services, kit)
  mountEngine(app, services, kit)
}
