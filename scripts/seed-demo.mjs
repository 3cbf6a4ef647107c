// Makes the realm `demo` through the public API, the way any client would: sign in to the system realm, then create.

/** Keeps the cookies of one conversation, as a browser does. @param {string} baseUrl */
function createConversation(baseUrl) {
  /** @type {Map<string, string>} */
  const cookies = new Map()
  return async (/** @type {string} */ method, /** @type {string} */ path, /** @type {object | undefined} */ body) => {
    const csrf = cookies.get('XSRF-TOKEN') ?? ''
    // The sign-in form carries the token as a field, every other write as a header.
    const withCsrf = path.endsWith('/login') ? { _csrf: csrf } : {}
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': 'application/json', 'x-xsrf-token': csrf }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify({ ...withCsrf, ...body }) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name) cookies.set(name, value ?? '')
    }
    return { status: answer.status, text: await answer.text() }
  }
}

/** @param {{baseUrl: string, password: string}} options the system administrator's password, also given to demo's */
export async function seedDemoRealm({ baseUrl, password }) {
  const send = createConversation(baseUrl)
  await send('GET', '/realms/master/login', undefined)
  const login = await send('POST', '/realms/master/login', { username: 'admin', password })
  if (login.status !== 200) throw new Error(`sign-in answered ${login.status} ${login.text}`)
  const realm = await send('POST', '/admin/realms', { name: 'demo', displayName: 'Demo', adminPassword: password })
  // 409: it is there from an earlier start.
  if (realm.status !== 201 && realm.status !== 409) throw new Error(`creation answered ${realm.status} ${realm.text}`)
}
