import { createHash, randomBytes } from 'node:crypto'
import { type PlainAnswer, type PlainConnection, plainRequest } from '../measure/plain-connection.ts'
import type { SignInJob } from './jobs.ts'

// Authorize, the sign-in page, perhaps one more page of the product's own, and back to the client.
const maxHops = 8

type Jar = Map<string, string>

/** One browser without cookies walks from the authorization request to the tokens, whatever product answers. */
export async function walkSignIn(connection: PlainConnection, job: SignInJob, person: SignInJob['people'][number]) {
  const jar: Jar = new Map()
  const verifier = randomBytes(32).toString('base64url')
  const code = await walkToCode(connection, job, person, { jar, verifier })
  const form = { grant_type: 'authorization_code', code, redirect_uri: job.redirectUri, code_verifier: verifier }
  const request = plainRequest(job.tokenPath, { authorization: job.authorization }, form)
  const answer = await connection.send(Buffer.from(request))
  if (answer.status !== 200) throw new Error(`no tokens: ${answer.status} ${answer.text.slice(0, 200)}`)
  return JSON.parse(answer.text) as { access_token: string; refresh_token: string }
}

async function walkToCode(
  connection: PlainConnection,
  job: SignInJob,
  person: SignInJob['people'][number],
  { jar, verifier }: { jar: Jar; verifier: string },
): Promise<string> {
  const origin = new URL(job.url)
  const send = async (path: string, form?: Record<string, string>) => {
    const headers = { host: origin.host, accept: 'text/html', ...(jar.size > 0 ? { cookie: cookiesOf(jar) } : {}) }
    const answer = await connection.send(Buffer.from(plainRequest(path, headers, form)))
    keepCookies(jar, answer)
    return answer
  }
  let at = new URL(`${job.authorizationPath}?${authorizationQuery(job, verifier)}`, origin)
  let answer = await send(at.pathname + at.search)
  for (let hop = 0; hop < maxHops; hop++) {
    const location = /\r\nlocation: ([^\r]+)/i.exec(answer.head)?.[1]
    if (location !== undefined) {
      at = new URL(location, at)
      const code = at.searchParams.get('code')
      if (code && at.href.startsWith(job.redirectUri)) return code
      answer = await send(at.pathname + at.search)
      continue
    }
    const form = readForm(answer.text)
    if (!form) throw new Error(`no form: ${answer.status} ${answer.text.replaceAll(/<[^>]*>|\s+/g, ' ').slice(0, 300)}`)
    at = new URL(form.action ?? at.href, at)
    answer = await send(at.pathname + at.search, { ...form.fields, ...person })
  }
  throw new Error('the sign-in goes round in circles')
}

function authorizationQuery(job: SignInJob, verifier: string): string {
  return new URLSearchParams({
    client_id: job.clientId,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: job.redirectUri,
    state: 'state',
    nonce: 'nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
}

const cookiesOf = (jar: Jar) => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')

function keepCookies(jar: Jar, { head }: PlainAnswer): void {
  for (const [, line = ''] of head.matchAll(/\r\nset-cookie: ([^\r]+)/gi)) {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    if (/max-age=0|expires=thu, 01.jan.1970/i.test(line)) jar.delete(pair.slice(0, at))
    else jar.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

const unescape = (text: string) =>
  text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#x2F;', '/').replaceAll('&#x3D;', '=')

/** The form of a page that asks for a password, with the hidden fields that must be sent back. */
function readForm(html: string): { action: string | null; fields: Record<string, string> } | null {
  const form = [...html.matchAll(/<form[^>]*>[\s\S]*?<\/form>/g)].find(([text]) =>
    text.includes('name="password"'),
  )?.[0]
  if (!form) return null
  const action = /<form[^>]*\saction="([^"]*)"/.exec(form)?.[1]
  const hidden = [...form.matchAll(/<input[^>]*>/g)].filter(([input]) => input.includes('type="hidden"'))
  const fields = hidden.flatMap(([input]) => {
    const name = /\sname="([^"]*)"/.exec(input)?.[1]
    return name ? [[name, unescape(/\svalue="([^"]*)"/.exec(input)?.[1] ?? '')]] : []
  })
  return { action: action === undefined ? null : unescape(action), fields: Object.fromEntries(fields) }
}
