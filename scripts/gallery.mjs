// `npm run gallery`: writes pictures of the pages people see to docs/gallery, from the states the page tests look at.
// The pages are TypeScript with JSX, so they are loaded by Vite as in the tests.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const server = join(root, 'server')
const folder = join(root, 'docs', 'gallery')
// What the tests need is a dependency of the server's package.
const require = createRequire(join(server, 'package.json'))
const { chromium } = require('playwright-core')
const { runnerImport } = await import(
  pathToFileURL(join(require.resolve('vite/package.json'), '../dist/node/index.js')).href
)

/** Pictures in a repository are carried by every clone, so each stays small. */
const maxBytes = 120_000

const phone = { width: 360, height: 640 }
const desktop = { width: 960, height: 720 }

/** @type {{state: string, scheme: 'light' | 'dark', viewport: typeof phone, says: string}[]} */
const pictures = [
  { state: 'login-passkey', scheme: 'light', viewport: phone, says: 'Sign-in with password or passkey' },
  { state: 'login-all', scheme: 'light', viewport: desktop, says: 'Sign-in in a realm’s own look, with every door' },
  { state: 'login-password', scheme: 'dark', viewport: phone, says: 'The password after the username' },
  { state: 'otp-totp', scheme: 'light', viewport: phone, says: 'Code from an authenticator app' },
  { state: 'otp-email', scheme: 'dark', viewport: phone, says: 'Code by email' },
  { state: 'webauthn', scheme: 'light', viewport: phone, says: 'Passkey as a second factor' },
  { state: 'configure-totp', scheme: 'light', viewport: phone, says: 'Setting up an authenticator app' },
  { state: 'configure-totp-german', scheme: 'dark', viewport: phone, says: 'The same in German, after a wrong code' },
  {
    state: 'register-webauthn-dutch',
    scheme: 'dark',
    viewport: desktop,
    says: 'Setting up a passkey, in Dutch, after a failure',
  },
  { state: 'recovery-codes', scheme: 'light', viewport: phone, says: 'Saving recovery codes' },
  { state: 'update-password-wrong', scheme: 'light', viewport: phone, says: 'Choosing a new password, refused' },
  { state: 'register-french', scheme: 'light', viewport: phone, says: 'Registration in French' },
  { state: 'link-actions', scheme: 'light', viewport: desktop, says: 'A link from mail, before it is used' },
  { state: 'consent-branded', scheme: 'dark', viewport: phone, says: 'What an application asks for' },
  { state: 'consent-document', scheme: 'light', viewport: phone, says: 'An application that nobody here has checked' },
  { state: 'user-code', scheme: 'light', viewport: phone, says: 'The code that a device shows' },
  { state: 'approval-device', scheme: 'light', viewport: phone, says: 'A device asks, with the code to compare' },
  { state: 'approval-ciba', scheme: 'dark', viewport: phone, says: 'An application asks, with a message to compare' },
  { state: 'device-push', scheme: 'light', viewport: phone, says: 'A question on the person’s telephone' },
  { state: 'push-question', scheme: 'light', viewport: phone, says: 'The same there, with the number to choose' },
  { state: 'device-key', scheme: 'dark', viewport: phone, says: 'A question for the key of a device' },
  { state: 'qr-code', scheme: 'light', viewport: desktop, says: 'Signing in with a QR code' },
  { state: 'qr-confirm', scheme: 'dark', viewport: phone, says: 'The same where the person is signed in' },
  { state: 'register-device', scheme: 'light', viewport: phone, says: 'Enrolling a device' },
  { state: 'account-overview-acted', scheme: 'light', viewport: phone, says: 'An administrator acts as somebody' },
  { state: 'account-overview', scheme: 'light', viewport: phone, says: 'The account of a person' },
  { state: 'account-overview-calm', scheme: 'light', viewport: desktop, says: 'The same in a realm’s own look' },
  { state: 'account-security-empty', scheme: 'light', viewport: desktop, says: 'Password and passkeys, in Dutch' },
  { state: 'account-places-empty', scheme: 'dark', viewport: desktop, says: 'Sessions, trusted browsers and devices' },
  { state: 'account-apps', scheme: 'dark', viewport: phone, says: 'What applications may do' },
  { state: 'account-reauth', scheme: 'light', viewport: phone, says: 'A change that asks for the sign-in again' },
  {
    state: 'transaction-all',
    scheme: 'light',
    viewport: phone,
    says: 'A transaction to sign, with every way to do it',
  },
]

async function writeGallery() {
  const jsx = /** @type {const} */ ({ runtime: 'automatic', importSource: 'preact' })
  const { module } = await runnerImport(join(server, 'test', 'pages', 'gallery.ts'), { root: server, oxc: { jsx } })
  const gallery = await module.startGallery()
  const browser = await chromium.launch({
    executablePath: process.env.GATEHOUSE_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run'],
  })
  try {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const page = await browser.newPage({ reducedMotion: 'reduce' })
    for (const { state, scheme, viewport } of pictures) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme: scheme })
      await page.goto(`${gallery.baseUrl}/${state}`, { waitUntil: 'load' })
      // Where a field holds the cursor the page has scrolled to it; a picture begins at the top.
      await page.evaluate(() => globalThis.scrollTo(0, 0))
      const picture = await page.screenshot({ fullPage: true, path: join(folder, `${state}.png`), caret: 'hide' })
      if (picture.length > maxBytes) throw new Error(`${state}.png has ${picture.length} bytes, more than ${maxBytes}.`)
    }
  } finally {
    await browser.close()
    await gallery.close()
  }
  writeFileSync(join(folder, 'README.md'), describePictures())
}

function describePictures() {
  const entries = pictures.map(({ state, scheme, viewport, says }) =>
    [
      `## ${says}`,
      '',
      `![${says}](${state}.png)`,
      '',
      `State \`${state}\`, ${scheme}, ${viewport.width} pixels wide.`,
      '',
    ].join('\n'),
  )
  return `# Gallery

Pages as people see them, written by \`npm run gallery\` from the states in \`server/test/pages\`. How they are themed:
[theming](../integrate/theming.md).

${entries.join('\n')}`
}

await writeGallery()
