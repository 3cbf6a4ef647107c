import { Pool } from 'undici'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** An administrator's connection to one service. As little of the processor as can be goes to the measuring itself. */
export interface Client {
  send(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<Answer>
  /** The time of one request in milliseconds; any other answer than a success ends the run. */
  time(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<number>
  close(): Promise<void>
}

export type Cookies = Map<string, string>

export function keepCookies(cookies: Cookies, headers: Answer['headers']): void {
  for (const line of [headers['set-cookie'] ?? []].flat()) {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

export const cookieHeader = (cookies: Cookies) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

export function openPool(url: string, connections: number): Pool {
  return new Pool(url, { connections, pipelining: 1 })
}

export async function exchange(
  pool: Pool,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const answer = await pool.request({
    method,
    path,
    headers: body === undefined ? headers : { ...headers, 'content-type': type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
}

/** The cookies of a browser that opened the sign-in page, which every sign-in needs. */
export async function openLoginPage(pool: Pool, realmId: string): Promise<Cookies> {
  const cookies: Cookies = new Map()
  keepCookies(cookies, (await exchange(pool, 'GET', `/realms/${realmId}/login`, {})).headers)
  return cookies
}

export async function signIn(pool: Pool, cookies: Cookies, realmId: string, username: string, password: string) {
  return exchange(
    pool,
    'POST',
    `/realms/${realmId}/login`,
    { accept: 'application/json', cookie: cookieHeader(cookies) },
    { username, password, _csrf: cookies.get('XSRF-TOKEN') },
  )
}

export async function connectAdmin(url: string, realmId: string, password: string): Promise<Client> {
  const pool = openPool(url, 8)
  const cookies = await openLoginPage(pool, realmId)
  const answer = await signIn(pool, cookies, realmId, 'admin', password)
  if (answer.status !== 200) throw new Error(`the administrator cannot sign in: ${answer.status} ${answer.text}`)
  keepCookies(cookies, answer.headers)
  const headers = { cookie: cookieHeader(cookies), 'x-xsrf-token': cookies.get('XSRF-TOKEN') ?? '' }
  const send: Client['send'] = (method, path, body) => exchange(pool, method, path, headers, body)
  return {
    send,
    async time(method, path, body) {
      const start = performance.now()
      const got = await send(method, path, body)
      const took = performance.now() - start
      if (got.status >= 300) throw new Error(`${method} ${path}: ${got.status} ${got.text.slice(0, 300)}`)
      return took
    },
    close: () => pool.close(),
  }
}
