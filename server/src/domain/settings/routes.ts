import { type AnyAdminRoute, adminRoute } from '../admin-route/index.ts'
import { describeChanges } from './changes.ts'
import { changedSecret } from './merge.ts'
import { RealmSettings, type SettingsChange, SettingsInput } from './schema.ts'
import { loadSettings, updateSettings } from './service.ts'

export const settingsRoutes: AnyAdminRoute[] = [
  adminRoute<Record<string, never>, undefined, RealmSettings>({
    method: 'GET',
    path: '/settings',
    permission: { anyAdmin: true },
    summary: 'Read the settings of the realm',
    response: { 200: RealmSettings },
    load: (ctx, _params, forUpdate) => loadSettings(ctx, forUpdate),
    example: {},
  }),
  adminRoute<Record<string, never>, SettingsChange, RealmSettings>({
    method: 'PUT',
    path: '/settings',
    permission: { anyOf: ['manage-realm'] },
    summary: 'Change settings of the realm',
    description:
      'Merges: absent members stay, null sets a member back to its default, objects merge one level deep. Answers all settings.',
    body: SettingsInput,
    response: { 200: RealmSettings },
    errors: ['protected'],
    load: (ctx, _params, forUpdate) => loadSettings(ctx, forUpdate),
    async handle(ctx, { body, loaded }) {
      const { record, version } = await updateSettings(ctx, body, loaded)
      const changes = describeChanges(loaded.record, record, changedSecret(body) !== undefined)
      return { status: 200, body: record, version, changes }
    },
    example: {
      body: {
        displayName: 'Example Company',
        primaryColor: '#0a5c8f',
        welcomeText: 'Sign in with your company account.',
        ssoSessionIdleSeconds: 3600,
        passwordPolicy: { minLength: 14 },
      },
    },
  }),
]
