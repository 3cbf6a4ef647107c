// A host that publishes documents about applications (draft-ietf-oauth-client-id-metadata-document), and a node that may reach it.
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { makeCertificate } from '../messaging/certificate.ts'
import { type HostAnswer, type HttpHost, startHttpHost } from '../messaging/http-host.ts'
import { authorize, type AuthorizeOptions, must, type TestClient, type TestRealm } from '../harness/index.ts'

export interface DocumentHost extends HttpHost {
  /** What is answered at a path, in place of a document. */
  answers: Map<string, HostAnswer>
  /** Publishes a document and gives the client that it describes. */
  publish(path: string, change?: object, headers?: Record<string, string>): TestClient
  /** How often a path was asked for. */
  asked(path: string): number
}

export const redirectUri = 'https://app.example.org/callback'

export async function startDocumentHost(): Promise<DocumentHost> {
  const certificate = await makeCertificate('localhost')
  const trusted = getCACertificates('default')
  // The service checks certificates as always; this one is trusted as a public authority's would be.
  setDefaultCACertificates([...trusted, certificate.cert])
  const answers = new Map<string, HostAnswer>()
  const host = await startHttpHost({
    certificate,
    name: 'localhost',
    answer: ({ path }) => answers.get(path) ?? { status: 404 },
  })
  return {
    ...host,
    answers,
    publish(path, change = {}, headers = {}) {
      const clientId = host.origin + path
      const document = { client_id: clientId, client_name: 'Weather', redirect_uris: [redirectUri], ...change }
      const type = { 'content-type': 'application/json' }
      answers.set(path, { headers: { ...type, ...headers }, body: JSON.stringify(document) })
      return { id: '', clientId, secret: null, redirectUri }
    },
    asked: (path) => host.requests.filter((request) => request.path === path).length,
    async stop() {
      setDefaultCACertificates(trusted)
      await host.stop()
    },
  }
}

export async function setProvisioning(realm: TestRealm, members: object): Promise<void> {
  await must(realm.call('PUT', '/provisioning', members), 200)
}

/** What the first answer of /authorize is about, without anybody signing in: a sign-in page, or an error. */
export async function ask(realm: TestRealm, client: TestClient, options: AuthorizeOptions = {}) {
  const { answer, params } = await authorize(realm, client, { stopAtPage: true, ...options })
  const isKnown = answer.status === 200 && answer.text.includes('name="password"')
  return { answer, params, isKnown, says: /<code[^>]*>(invalid_\w+|temporarily_\w+)/.exec(answer.text)?.[1] ?? null }
}
