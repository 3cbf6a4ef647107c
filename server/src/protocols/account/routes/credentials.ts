import { z } from 'zod'
import { pageResult } from '../../../domain/admin-route/index.ts'
import { Credential, CredentialQuery, NewCredential } from '../../../domain/users/credentials/index.ts'
import {
  confirmCredential,
  Label,
  listOwnCredentials,
  OwnCredentialInput,
  removeOwnCredential,
  renameOwnCredential,
  startCredential,
} from '../actions/credentials.ts'
import { spend } from '../actions/limits.ts'
import { addPasskey, preparePasskey, startPasskey } from '../actions/passkeys.ts'
import { accountRoute, type AnyAccountRoute } from '../route.ts'
import { Enrollment } from './devices.ts'

const missing = z.null().describe('You have no such credential.')
const readOnly = z.unknown().optional()

const LabelChange = z
  .strictObject({
    label: Label.describe('What you call it.'),
    // Read-only members may come back as they were read (contract 2.2).
    ...{ id: readOnly, type: readOnly, createdAt: readOnly, lastUsedAt: readOnly, details: readOnly },
  })
  .meta({ id: 'AccountCredentialLabel' })

const Code = z
  .strictObject({ code: z.string().min(1).max(32).describe('Six digits; spaces do not matter.') })
  .meta({ id: 'AccountTotpCode' })

const PasskeyInput = z
  .strictObject({
    label: Label.default(null),
    response: z.record(z.string(), z.unknown()).describe('RegistrationResponseJSON, as the browser made it.'),
  })
  .meta({ id: 'AccountPasskeyInput' })

const CreationOptions = z
  .record(z.string(), z.unknown())
  .describe('PublicKeyCredentialCreationOptionsJSON, for PublicKeyCredential.parseCreationOptionsFromJSON().')

const listRoutes: AnyAccountRoute[] = [
  accountRoute({
    method: 'GET',
    path: '/credentials',
    demand: 'READ',
    summary: 'List what you prove yourself with',
    description: 'Newest first, never with secret material.',
    query: CredentialQuery.omit({ count: true }),
    response: { 200: z.array(Credential) },
    async handle(ctx, { holder, query }) {
      const { credentials, page } = await listOwnCredentials(ctx, holder, query)
      return pageResult({ rows: credentials, paging: page, cursorOf: ({ id }) => id, query })
    },
  }),
  accountRoute({
    method: 'POST',
    path: '/credentials',
    demand: 'FRESH',
    summary: 'Set up a further way to prove yourself',
    description:
      'totp answers the secret once and waits for a first good code; recovery-codes answers the codes once, and earlier ones ' +
      'stop working; device answers a token by which the device enrols itself.',
    body: OwnCredentialInput,
    response: { 201: z.union([NewCredential, Enrollment]) },
    handle: async (ctx, { holder, body }) => ({ status: 201, body: await startCredential(ctx, holder, body) }),
  }),
  accountRoute({
    method: 'POST',
    path: '/credentials/totp/:id/confirm',
    demand: 'FRESH',
    summary: 'Confirm your authenticator app',
    description: 'With a code that it shows now; from then on it counts.',
    body: Code,
    response: { 200: Credential, 404: missing },
    // Counted before the code is looked at, whatever becomes of the transaction.
    prepare: ({ services, realm, holder }) => spend({ services, realmId: realm.realmId }, holder, 'confirmations'),
    handle: async (ctx, { holder, params, body }) => ({
      status: 200,
      body: await confirmCredential(ctx, holder, params.id!, body.code),
    }),
  }),
]

const passkeyRoutes: AnyAccountRoute[] = [
  accountRoute({
    method: 'POST',
    path: '/credentials/webauthn/options',
    demand: 'FRESH',
    summary: 'Ask for options to make a passkey with',
    description: 'The challenge in them works once, for ten minutes, in this session.',
    response: { 200: CreationOptions },
    handle: async (ctx, { holder, realm }) => ({ status: 200, body: await startPasskey(ctx, holder, realm) }),
  }),
  accountRoute({
    method: 'POST',
    path: '/credentials/webauthn',
    demand: 'FRESH',
    summary: 'Add a passkey or security key',
    description: 'With what navigator.credentials.create() answered to the options.',
    body: PasskeyInput,
    response: { 201: Credential },
    prepare: (call) => preparePasskey(call, call.body.response),
    handle: async (ctx, { holder, body }, prepared) => ({
      status: 201,
      body: await addPasskey(ctx, holder, prepared, body.label),
    }),
  }),
]

const singleRoutes: AnyAccountRoute[] = [
  accountRoute({
    method: 'PUT',
    path: '/credentials/:type/:id',
    demand: 'WRITE',
    summary: 'Rename one of your credentials',
    description: 'Only the label can be changed; the other members may be sent as they were read.',
    body: LabelChange,
    response: { 200: Credential, 404: missing },
    handle: async (ctx, { holder, params, body }) => ({
      status: 200,
      body: await renameOwnCredential(ctx, holder, { type: params.type!, id: params.id! }, body.label),
    }),
  }),
  accountRoute({
    method: 'DELETE',
    path: '/credentials/:type/:id',
    demand: 'FRESH',
    summary: 'Remove one of your credentials',
    description:
      'The last one that a sign-in can begin with (password or passkey) stays: 409. Where the realm wants a second factor ' +
      'and the last one goes, the next sign-in asks for a new one.',
    response: {
      204: z.null().describe('No body.'),
      404: missing,
      409: z.null().describe('You could not sign in any more.'),
    },
    async handle(ctx, { holder, params }) {
      await removeOwnCredential(ctx, holder, { type: params.type!, id: params.id! })
      return { status: 204 }
    },
  }),
]

export const credentialRoutes: AnyAccountRoute[] = [...listRoutes, ...passkeyRoutes, ...singleRoutes]
