/** @param {Record<string, unknown> | null} claims of the ID token; null when nobody is signed in */
export function renderHome(claims) {
  if (!claims) return renderPage('Web app', '<p>Nobody is signed in.</p><p><a href="/login">Sign in</a></p>')
  const rows = Object.entries(claims).map(
    ([name, value]) => `<tr><th>${escape(name)}</th><td>${escape(JSON.stringify(value))}</td></tr>`,
  )
  return renderPage(
    `Hello ${String(claims.name ?? claims.preferred_username ?? claims.sub)}`,
    `<p>The claims of your ID token:</p><table>${rows.join('')}</table>
<form method="post" action="/logout"><button>Sign out</button></form>`,
  )
}

/** @param {unknown} error */
export function renderError(error) {
  // `error` and `error_description` are what the issuer said (RFC 6749, 4.1.2.1).
  const said = /** @type {{ error?: string, error_description?: string, message?: string }} */ (error)
  const text = said.error ? `${said.error}: ${said.error_description ?? ''}` : said.message
  return renderPage('That did not work', `<p>${escape(String(text))}</p><p><a href="/">Back</a></p>`)
}

/** @param {string} title @param {string} content */
function renderPage(title, content) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="icon" href="data:,">
<style>
  body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color-scheme: light dark }
  th, td { padding: 0.25rem 1rem 0.25rem 0; text-align: start; vertical-align: top; overflow-wrap: anywhere }
</style>
<h1>${escape(title)}</h1>
${content}
</html>
`
}

/** @param {string} text */
function escape(text) {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
