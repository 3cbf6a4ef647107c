// Every domain folder once: its admin routes and what it contributes to work that cuts across folders.
// Architecture 2: a new resource is one folder, one migration and one line here.
// Read by app/build-app, app/services and the sweeps of the tests.
import type { AnyAdminRoute } from '../domain/admin-route/index.ts'
import { adminRoleRoutes } from '../domain/admin-roles/index.ts'
import { claimRoutes, claimsContribution } from '../domain/claims/index.ts'
import { clientScopeRoutes, clientScopesContribution } from '../domain/client-scopes/index.ts'
import { clientRoutes, clientsContribution } from '../domain/clients/index.ts'
import { allowedResourceRoutes } from '../domain/clients/allowed-resources/index.ts'
import { mapperRoutes } from '../domain/clients/mappers/index.ts'
import { clientRoleRoutes } from '../domain/clients/roles/index.ts'
import { secretRoutes } from '../domain/clients/secret/index.ts'
import { serviceAccountRoleRoutes } from '../domain/clients/service-account/roles/index.ts'
import { consentsContribution } from '../domain/consents/index.ts'
import type { Contribution } from '../domain/context/index.ts'
import { approvalsContribution } from '../domain/device-approvals/index.ts'
import { countersContribution } from '../domain/counters/index.ts'
import { devicesContribution } from '../domain/devices/index.ts'
import { auditConfigRoutes, eventRoutes, eventsContribution } from '../domain/events/index.ts'
import { flowRoutes, flowsContribution } from '../domain/flows/index.ts'
import { jobRoutes, jobsContribution } from '../domain/jobs/index.ts'
import { keyRoutes, keysContribution } from '../domain/keys/index.ts'
import { lockoutContribution } from '../domain/lockout/index.ts'
import { messagingContribution } from '../domain/messaging/index.ts'
import { providerRoutes } from '../domain/messaging/providers/index.ts'
import { pushTokenRoutes } from '../domain/messaging/push-tokens/index.ts'
import { templateRoutes } from '../domain/messaging/templates/index.ts'
import { monitoringAdminRoutes } from '../domain/monitoring/index.ts'
import { oneTimeSecretsContribution } from '../domain/one-time-secrets/index.ts'
import { provisioningContribution, provisioningRoutes } from '../domain/provisioning/index.ts'
import { initialAccessTokenRoutes } from '../domain/provisioning/initial-access-tokens/index.ts'
import { realmRoutes, realmsContribution } from '../domain/realms/index.ts'
import { clientRegistrationContribution } from '../domain/registration/index.ts'
import { roleRoutes, rolesContribution } from '../domain/roles/index.ts'
import { sessionRoutes, sessionsContribution } from '../domain/sessions/index.ts'
import { settingsContribution, settingsRoutes, subjectClaimRoutes } from '../domain/settings/index.ts'
import { signInContribution } from '../domain/sign-in/index.ts'
import { tokensContribution } from '../domain/tokens/index.ts'
import { transactionsContribution } from '../domain/transactions/index.ts'
import { trustedDevicesContribution } from '../domain/trusted-devices/index.ts'
import { userRoutes, usersContribution } from '../domain/users/index.ts'
import { credentialRoutes, credentialsContribution } from '../domain/users/credentials/index.ts'
import { totpRoutes } from '../domain/users/credentials/totp/index.ts'
import { gdprRoutes } from '../domain/users/gdpr/index.ts'
import { impersonateContribution, impersonateRoutes } from '../domain/users/impersonate/index.ts'
import { passwordRoutes } from '../domain/users/password/index.ts'
import { requiredActionRoutes } from '../domain/users/required-actions/index.ts'
import { registrationContribution } from '../domain/users/registration/index.ts'
import { actionsEmailRoutes } from '../domain/users/send-actions-email/index.ts'
import { userRoleRoutes } from '../domain/users/roles/index.ts'
import { oidcContribution } from '../protocols/oidc/index.ts'
import { maintenanceContribution } from './maintenance.ts'

export interface Module {
  /** The folder under server/src. */
  folder: string
  routes?: AnyAdminRoute[]
  contribution?: Contribution
}

/** In the order in which a new realm is seeded: settings and roles before the first user. */
export const modules: Module[] = [
  { folder: 'domain/realms', routes: realmRoutes, contribution: realmsContribution },
  { folder: 'domain/settings', routes: [...settingsRoutes, ...subjectClaimRoutes], contribution: settingsContribution },
  { folder: 'domain/claims', routes: claimRoutes, contribution: claimsContribution },
  { folder: 'domain/client-scopes', routes: clientScopeRoutes, contribution: clientScopesContribution },
  { folder: 'domain/flows', routes: flowRoutes, contribution: flowsContribution },
  { folder: 'domain/keys', routes: keyRoutes, contribution: keysContribution },
  { folder: 'domain/roles', routes: roleRoutes, contribution: rolesContribution },
  { folder: 'domain/admin-roles', routes: adminRoleRoutes },
  { folder: 'domain/users', routes: userRoutes, contribution: usersContribution },
  { folder: 'domain/users/roles', routes: userRoleRoutes },
  { folder: 'domain/users/credentials', routes: credentialRoutes, contribution: credentialsContribution },
  { folder: 'domain/users/credentials/totp', routes: totpRoutes },
  { folder: 'domain/users/password', routes: passwordRoutes },
  { folder: 'domain/users/impersonate', routes: impersonateRoutes, contribution: impersonateContribution },
  { folder: 'domain/users/registration', contribution: registrationContribution },
  { folder: 'domain/users/send-actions-email', routes: actionsEmailRoutes },
  { folder: 'domain/users/gdpr', routes: gdprRoutes },
  { folder: 'domain/users/required-actions', routes: requiredActionRoutes },
  { folder: 'domain/consents', contribution: consentsContribution },
  { folder: 'domain/clients', routes: clientRoutes, contribution: clientsContribution },
  { folder: 'domain/clients/secret', routes: secretRoutes },
  { folder: 'domain/clients/roles', routes: clientRoleRoutes },
  { folder: 'domain/clients/mappers', routes: mapperRoutes },
  { folder: 'domain/clients/service-account/roles', routes: serviceAccountRoleRoutes },
  { folder: 'domain/clients/allowed-resources', routes: allowedResourceRoutes },
  { folder: 'domain/provisioning', routes: provisioningRoutes, contribution: provisioningContribution },
  { folder: 'domain/provisioning/initial-access-tokens', routes: initialAccessTokenRoutes },
  { folder: 'domain/registration', contribution: clientRegistrationContribution },
  { folder: 'domain/sessions', routes: sessionRoutes, contribution: sessionsContribution },
  { folder: 'domain/events', routes: [...eventRoutes, ...auditConfigRoutes], contribution: eventsContribution },
  { folder: 'domain/messaging', contribution: messagingContribution },
  { folder: 'domain/messaging/providers', routes: providerRoutes },
  { folder: 'domain/messaging/templates', routes: templateRoutes },
  { folder: 'domain/messaging/push-tokens', routes: pushTokenRoutes },
  { folder: 'domain/jobs', routes: jobRoutes, contribution: jobsContribution },
  { folder: 'domain/monitoring', routes: monitoringAdminRoutes },
  { folder: 'domain/counters', contribution: countersContribution },
  { folder: 'domain/lockout', contribution: lockoutContribution },
  { folder: 'domain/sign-in', contribution: signInContribution },
  { folder: 'domain/tokens', contribution: tokensContribution },
  { folder: 'domain/one-time-secrets', contribution: oneTimeSecretsContribution },
  { folder: 'domain/devices', contribution: devicesContribution },
  { folder: 'domain/trusted-devices', contribution: trustedDevicesContribution },
  { folder: 'domain/transactions', contribution: transactionsContribution },
  { folder: 'domain/device-approvals', contribution: approvalsContribution },
  { folder: 'protocols/oidc', contribution: oidcContribution },
  { folder: 'app', contribution: maintenanceContribution },
]

export const adminRoutes: AnyAdminRoute[] = modules.flatMap((module) => module.routes ?? [])
export const contributions: Contribution[] = modules.flatMap((module) => module.contribution ?? [])
