import { request as httpRequest } from 'node:http'

// Tests look into answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
export interface Answer<Body = any> {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  body: Body
}

export interface RequestOptions {
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
  form?: Record<string, string>
  raw?: string | Buffer
  type?: string
  /** Leave the CSRF header out, or send another one. */
  csrf?: string | null
}

/** One HTTP exchange over a real socket; redirects are not followed. */
export function api(url: string, method: string, options: RequestOptions = {}): Promise<Answer> {
  const body =
    options.json !== undefined
      ? JSON.stringify(options.json)
      : options.form
        ? new URLSearchParams(options.form).toString()
        : options.raw
  const type =
    options.type ??
    (options.json !== undefined ? 'application/json' : options.form ? 'application/x-www-form-urlencoded' : undefined)
  const headers: Record<string, string> = {
    ...(type && body !== undefined ? { 'content-type': type } : {}),
    ...options.headers,
  }
  if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = /[/+]json\b/.test(response.headers['content-type'] ?? '')
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: isJson && text ? JSON.parse(text) : undefined,
        })
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

export interface Browser {
  cookies: Map<string, string>
  /** The paths of cookies that hold for one path alone. */
  scopedPaths(): string[]
  csrf(): string
  send(method: string, path: string, options?: RequestOptions): Promise<Answer>
  get(path: string, options?: RequestOptions): Promise<Answer>
  /** A write with the CSRF header. */
  write(method: string, path: string, json?: unknown, options?: RequestOptions): Promise<Answer>
  login(realmId: string, username: string, password: string, more?: Record<string, string>): Promise<Answer>
}

/** A cookie jar that behaves as a browser's: what is set comes back, what expires is gone. */
export function createBrowser(base: string): Browser {
  const cookies = new Map<string, string>()
  // Cookies of a narrower path, as the engine sets them for one request each.
  const scoped = new Map<string, { name: string; value: string; path: string }>()
  const cookieHeader = (path: string) => {
    const narrow = [...scoped.values()].filter((cookie) => path.split('?')[0]!.startsWith(cookie.path))
    return [...narrow.map(({ name, value }) => [name, value]), ...cookies].map(([name, value]) => `${name}=${value}`)
  }
  const browser: Browser = {
    cookies,
    scopedPaths: () => [...scoped.values()].map((cookie) => cookie.path),
    csrf: () => cookies.get('XSRF-TOKEN') ?? '',
    async send(method, path, options = {}) {
      const cookie = cookieHeader(path).join('; ')
      const answer = await api(base + path, method, {
        ...options,
        headers: { ...(cookie ? { cookie } : {}), ...options.headers },
      })
      for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
        const [pair = '', ...attributes] = line.split('; ')
        const at = pair.indexOf('=')
        const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
        const isGone = /max-age=0|expires=thu, 01 jan 1970/i.test(attributes.join('; '))
        const narrow = attributes.find((attribute) => /^path=\/./i.test(attribute))?.slice('path='.length)
        if (narrow) {
          if (isGone) scoped.delete(`${name} ${narrow}`)
          else scoped.set(`${name} ${narrow}`, { name, value, path: narrow })
        } else if (isGone) cookies.delete(name)
        else cookies.set(name, value)
      }
      return answer
    },
    get: (path, options) => browser.send('GET', path, options),
    write: (method, path, json, options = {}) => {
      const csrf = options.csrf === undefined ? browser.csrf() : options.csrf
      return browser.send(method, path, {
        ...(json === undefined ? {} : { json }),
        ...options,
        headers: { ...(csrf === null ? {} : { 'x-xsrf-token': csrf }), ...options.headers },
      })
    },
    async login(realmId, username, password, more = {}) {
      await browser.get(`/realms/${realmId}/login`)
      return browser.send('POST', `/realms/${realmId}/login`, {
        form: { username, password, _csrf: browser.csrf(), ...more },
        headers: { accept: 'application/json' },
      })
    },
  }
  return browser
}
