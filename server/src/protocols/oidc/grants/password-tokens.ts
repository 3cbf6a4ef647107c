import type { Account, Client, Grant, TokenEndpointGrantContext } from 'oidc-provider'
import { grantSteps } from '../internals.ts'

/** What tokens are made from, in the engine's terms. */
export interface PasswordSource {
  accountId: string
  acr: string
  amr: string[]
  authTime: number
  client: Client
  grantId: string
  gty: string
  resource: string
  scope?: string
}

interface Issuing {
  account: Account
  grant: Grant
  jkt: string | undefined
}

/** The tokens of a proved password, as a code would have brought them. */
export async function issueFor(
  ctx: TokenEndpointGrantContext,
  source: PasswordSource,
  { account, grant, jkt }: Issuing,
): Promise<void> {
  const { provider } = ctx.oidc
  // A code that is redeemed in the same breath and never kept: claims and events are then made as for any sign-in.
  const code = new provider.AuthorizationCode(source as never)
  ctx.oidc.entity('AuthorizationCode', code)
  const { accountId, client, grantId, gty } = source
  const token = new provider.AccessToken({ accountId, client, grantId, gty } as never)
  if (jkt) token.setThumbprint('jkt', jkt)
  await grantSteps.resolveAndApplyResource(provider, ctx, code, token, grant)
  ctx.oidc.entity('AccessToken', token)
  const accessToken = await token.save()
  const mayRefresh = await grantSteps.shouldIssueRefreshToken(provider, ctx, code)
  const refreshToken = mayRefresh ? await issueRefreshToken(ctx, source, token) : undefined
  const idToken = code.scopes.has('openid') ? await issueIdToken(ctx, source, account, grant) : undefined
  ctx.body = grantSteps.buildTokenResponse(provider, {
    accessToken,
    expiresIn: token.expiration,
    idToken,
    refreshToken,
    scope: token.scope || undefined,
    tokenType: token.tokenType,
  })
}

type AccessToken = InstanceType<TokenEndpointGrantContext['oidc']['provider']['AccessToken']>

async function issueRefreshToken(
  ctx: TokenEndpointGrantContext,
  source: PasswordSource,
  accessToken: AccessToken,
): Promise<string> {
  const { provider } = ctx.oidc
  const token = new provider.RefreshToken({ ...source, rotations: 0 } as never)
  await grantSteps.applyRefreshTokenBindings(provider, ctx, accessToken, token)
  ctx.oidc.entity('RefreshToken', token)
  return token.save()
}

async function issueIdToken(
  ctx: TokenEndpointGrantContext,
  { acr, amr, authTime, scope }: PasswordSource,
  account: Account,
  grant: Grant,
): Promise<string> {
  const claims = await account.claims('id_token', scope ?? '', {}, [])
  const token = new ctx.oidc.provider.IdToken({ ...claims, acr, amr, auth_time: authTime }, { ctx })
  Object.assign(token, {
    scope: grant.getOIDCScopeFiltered(new Set((scope ?? '').split(' '))),
    mask: {},
    rejected: [],
  })
  return token.issue({ use: 'idtoken' })
}
