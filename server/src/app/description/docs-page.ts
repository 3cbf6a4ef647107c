import { pageAssets } from '../../pages/index.ts'

const mark = [...pageAssets.keys()].find((name) => name.startsWith('mark-'))!

/** The frame around the viewer: whose session the calls use is said at the top. */
export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API · Gatehouse</title>
<link rel="icon" href="/assets/${mark}" type="image/svg+xml">
<link rel="stylesheet" href="/assets/docs/swagger-ui.css">
<link rel="stylesheet" href="/assets/docs/docs.css">
</head>
<body>
<header class="docs-header">
<div class="docs-brand"><img src="/assets/${mark}" alt="" width="36" height="36"><h1>Gatehouse API</h1></div>
<form class="docs-caller" method="get" action="/interactive-docs.html">
<label for="realm">Realm</label>
<input id="realm" name="realm" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="64">
<button>Use</button>
<p id="caller" role="status"></p>
</form>
</header>
<main id="docs"></main>
<noscript><p class="docs-note">This page needs JavaScript. The description itself is at <a href="/v3/api-docs">/v3/api-docs</a>.</p></noscript>
<script src="/assets/docs/swagger-ui-bundle.js"></script>
<script src="/assets/docs/docs.js"></script>
</body>
</html>
`

/**
 * Signed in, every call carries the session by itself. A write also carries the CSRF token of the session that will answer it: a
 * read in the same place brings that one into the cookie first.
 */
export const docsScript = `'use strict'
const scheme = matchMedia('(prefers-color-scheme: dark)')
const showScheme = () => document.documentElement.classList.toggle('dark-mode', scheme.matches)
scheme.addEventListener('change', showScheme)
showScheme()

const realm = new URLSearchParams(location.search).get('realm') || ''
const readJson = async (url) => {
  const answer = await fetch(url, { headers: { accept: 'application/json' } })
  return answer.ok ? answer.json() : null
}

async function showCaller() {
  const status = document.getElementById('caller')
  document.getElementById('realm').value = realm
  if (!realm) return void (status.textContent = 'Name a realm to sign in and try calls out.')
  const me = await readJson('/admin/realms/' + encodeURIComponent(realm) + '/whoami')
  if (me) return void (status.textContent = 'Signed in as ' + me.username + ' of ' + me.realmId)
  const link = document.createElement('a')
  link.href = '/realms/' + encodeURIComponent(realm) + '/login?redirect=' +
    encodeURIComponent('/interactive-docs.html?realm=' + encodeURIComponent(realm))
  link.textContent = 'Sign in'
  status.replaceChildren(link, ' to try calls out.')
}

// The realm is filled in, and bodies start from the example of the route instead of made-up text.
function prepare(document) {
  for (const operations of Object.values(document.paths)) {
    for (const operation of Object.values(operations)) {
      for (const parameter of operation.parameters || [])
        if (realm && parameter.in === 'path' && parameter.name === 'realm') parameter.schema.default = realm
      const sample = / -d '(.*)' "/.exec((operation['x-codeSamples'] || [{}])[0].source || '')
      for (const body of Object.values((operation.requestBody || {}).content || {}))
        if (sample && !body.example && !body.examples) body.example = JSON.parse(sample[1])
    }
  }
  return document
}

function findRead(path) {
  const inRealm = /^(\\/admin\\/realms\\/[^/]+)\\/./.exec(path)
  if (inRealm) return inRealm[1] + '/whoami'
  const signIn = /^\\/realms\\/[^/]+\\/login/.exec(path)
  return signIn ? signIn[0] : path
}

async function addCsrfToken(request) {
  if (['GET', 'HEAD'].includes((request.method || 'GET').toUpperCase())) return request
  await fetch(findRead(new URL(request.url, location.href).pathname))
  const cookie = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie)
  request.headers['X-XSRF-TOKEN'] = cookie ? cookie[1] : ''
  return request
}

async function showDocs() {
  const description = await readJson('/v3/api-docs')
  if (!description) return void (document.getElementById('docs').textContent = 'Sign in to read the description.')
  window.ui = SwaggerUIBundle({
    spec: prepare(description),
    dom_id: '#docs',
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    tagsSorter: 'alpha',
    validatorUrl: null,
    supportedSubmitMethods: ['get', 'post', 'put', 'patch', 'delete'],
    requestInterceptor: addCsrfToken,
  })
}

void showCaller()
void showDocs()
`
