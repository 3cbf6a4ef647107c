import { randomUUID } from 'node:crypto'
import type { Client, Provider } from 'oidc-provider'
import { forEach, makePkce, redirectUri, requestedScope } from './contender.ts'

const dayInSeconds = 86_400

/** What a browser would have brought about: people signed in, codes issued, tokens in use. Made on the models, not measured. */
export function createModels(provider: Provider, issuer: string) {
  async function makeGrant(client: Client) {
    const accountId = randomUUID()
    const grant = new provider.Grant({ accountId, clientId: client.clientId })
    grant.addOIDCScope(requestedScope)
    grant.addResourceScope(issuer, requestedScope)
    const grantId = await grant.save()
    const session = new provider.Session()
    Object.assign(session, { accountId, loginTs: Math.floor(Date.now() / 1000), amr: ['pwd'] })
    session.authorizations = { [client.clientId]: { sid: randomUUID(), grantId } }
    await session.save(dayInSeconds)
    return { client, accountId, grantId, session, sid: session.authorizations[client.clientId]!.sid! }
  }

  async function makeCode(client: Client) {
    const { session, ...made } = await makeGrant(client)
    const { verifier, challenge } = makePkce()
    const code = new provider.AuthorizationCode({
      ...made,
      sessionUid: session.uid,
      expiresWithSession: true,
      authTime: session.loginTs,
      amr: session.amr,
      acr: '1',
      nonce: 'nonce',
      redirectUri,
      resource: issuer,
      scope: requestedScope,
      codeChallenge: challenge,
      codeChallengeMethod: 'S256',
    } as never)
    return { code: await code.save(), verifier }
  }

  /** Without an audience: the engine keeps such tokens and serves no others at userinfo and introspection. */
  async function makeToken(client: Client) {
    const { session, ...made } = await makeGrant(client)
    const token = new provider.AccessToken({
      ...made,
      sessionUid: session.uid,
      expiresWithSession: true,
      scope: requestedScope,
      gty: 'authorization_code',
    } as never)
    return token.save()
  }

  const repeat = async <T>(count: number, make: (client: Client) => Promise<T>): Promise<T[]> => {
    const client = (await provider.Client.find('web'))!
    const made: T[] = []
    await forEach(Array.from({ length: count }), 16, async () => void made.push(await make(client)))
    return made
  }
  return {
    codes: (count: number) => repeat(count, makeCode),
    tokens: (count: number) => repeat(count, makeToken),
  }
}
