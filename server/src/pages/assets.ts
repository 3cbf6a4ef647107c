// The files our pages load: one style sheet, the mark and three scripts. Names carry a hash of the content, so they never go stale.

import { createHash } from 'node:crypto'
import { formPostScript } from './scripts/form-post.ts'
import { passkeyScript } from './scripts/passkey.ts'
import { waitingScript } from './scripts/waiting.ts'
import { styleSheet } from './styles/index.ts'
import { mark } from './styles/mark.ts'

export interface PageAsset {
  body: Buffer
  contentType: string
}

const assets = new Map<string, PageAsset>()

/** File name to content, to be served at `/assets/<name>` with `assetHeaders`. */
export const pageAssets: ReadonlyMap<string, PageAsset> = assets

/** A changed file has another name, so browsers may keep what they have for a year without asking. */
export const assetHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  // An SVG opened on its own is a document; this keeps it from ever running anything.
  'content-security-policy': "default-src 'none'",
}

export const styleSheetPath = addAsset('pages', 'css', 'text/css; charset=utf-8', styleSheet)
export const markPath = addAsset('mark', 'svg', 'image/svg+xml', mark)
/** Loaded by the page of response_mode=form_post and by no other. */
export const formPostScriptPath = addAsset('form-post', 'js', 'text/javascript; charset=utf-8', formPostScript)
/** Loaded by the pages that can use a passkey. */
export const passkeyScriptPath = addAsset('passkey', 'js', 'text/javascript; charset=utf-8', passkeyScript)

/** Loaded by the pages that wait for another device. */
export const waitingScriptPath = addAsset('waiting', 'js', 'text/javascript; charset=utf-8', waitingScript)

function addAsset(name: string, extension: string, contentType: string, text: string): string {
  // 12 hexadecimal digits tell any two releases apart and keep the address short.
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const file = `${name}-${hash}.${extension}`
  assets.set(file, { body: Buffer.from(text), contentType })
  return `/assets/${file}`
}
