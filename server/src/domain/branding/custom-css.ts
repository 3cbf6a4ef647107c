// A realm's own stylesheet is parsed and compared with allow-lists, never pattern-matched (contract 2.109, S47).

import * as csstree from 'css-tree'
import { allowedAtRules, allowedFunctions, matchableAttributes, refusedProperties } from './css-allow-lists.ts'

export type CustomCssResult =
  | {
      ok: true
      /** The sheet written anew from the parse tree. Only this text may be served: what was not understood is not in it. */
      css: string
      /** Whether the sheet shows `data:` images, which the page's content security policy must then allow. */
      usesDataImages: boolean
    }
  | { ok: false; message: string }

/** Contract 2.109. Counted in bytes because that is what is stored and sent. */
export const customCssMaxBytes = 64 * 1024

/** Real style sheets nest four or five deep. The limit keeps hostile input from exhausting the parser's stack. */
const maxNesting = 24

export function checkCustomCss(css: string): CustomCssResult {
  const textFault = findTextFault(css)
  if (textFault) return { ok: false, message: textFault }
  const faults: string[] = []
  const tree = csstree.parse(css, {
    // Without this a custom property would be kept as raw text, and a url() in it would never be looked at.
    parseCustomProperty: true,
    positions: true,
    onParseError: (error) => faults.push(`Line ${error.line}: ${error.message}.`),
  })
  let usesDataImages = false
  csstree.walk(tree, (node) => {
    const fault = findNodeFault(node)
    if (fault) faults.push(`Line ${node.loc?.start.line ?? 1}: ${fault}`)
    if (node.type === 'Url') usesDataImages ||= isDataImage(node.value)
  })
  if (faults[0]) return { ok: false, message: faults[0] }
  const checked = csstree.generate(tree)
  // An escape such as "\3c" is decoded by the parser, so the rewritten sheet is looked at again.
  if (holdsMarkup(checked)) return { ok: false, message: 'HTML markup is not allowed, not even inside strings.' }
  return { ok: true, css: checked, usesDataImages }
}

function findTextFault(css: string): string | null {
  if (Buffer.byteLength(css) > customCssMaxBytes) return `The style sheet is larger than ${customCssMaxBytes} bytes.`
  if (/[\p{Cc}--[\t\n\r\f]]/v.test(css)) return 'Control characters are not allowed.'
  if (holdsMarkup(css)) return 'HTML markup is not allowed, not even inside strings or comments.'
  if (measureNesting(css) > maxNesting) return `Blocks and brackets may be nested at most ${maxNesting} deep.`
  return null
}

function findNodeFault(node: csstree.CssNode): string | null {
  switch (node.type) {
    case 'Raw':
      return 'this part cannot be understood.'
    case 'CDO':
    case 'CDC':
      return 'HTML comments are not allowed.'
    case 'Atrule':
      return allowedAtRules.has(node.name.toLowerCase()) ? null : `@${node.name} is not allowed.`
    case 'Url':
      return isAllowedUrl(node.value) ? null : 'url() may only name /assets/… or data:image/….'
    case 'Function':
      return allowedFunctions.has(node.name.toLowerCase()) ? null : `the function ${node.name}() is not allowed.`
    case 'Declaration':
      return findPropertyFault(node.property)
    case 'AttributeSelector':
      return findAttributeFault(node)
    default:
      return null
  }
}

function findPropertyFault(name: string): string | null {
  if (name.startsWith('--')) return null
  // `basename` is the name without vendor prefix and without the old browser hacks (`*behavior`, `_behavior`).
  const { basename } = csstree.property(csstree.ident.decode(name))
  return refusedProperties.has(basename) ? `the property ${name} is not allowed.` : null
}

// Comparing an attribute's value can spell out a secret (the form's hidden fields) one letter at a time.
function findAttributeFault(node: csstree.AttributeSelector): string | null {
  if (node.matcher === null) return null
  const name = node.name.name
  return matchableAttributes.has(name.toLowerCase()) ? null : `selectors may not compare the value of [${name}].`
}

function isAllowedUrl(value: string): boolean {
  if (isDataImage(value)) return true
  if (!value.startsWith('/assets/')) return false
  // The URL parser resolves "..", "%2e%2e" and backslashes as a browser would.
  const base = 'https://gatehouse.invalid'
  const url = URL.parse(value, base)
  return url !== null && url.origin === base && url.pathname.startsWith('/assets/')
}

function isDataImage(value: string): boolean {
  return /^data:image\/[a-z0-9.+-]+[;,]/i.test(value)
}

// `<` alone is a comparison in a media query; followed by one of these it could open or close HTML.
function holdsMarkup(css: string): boolean {
  return /<[/!?a-z]/i.test(css)
}

function measureNesting(css: string): number {
  const { LeftCurlyBracket, LeftParenthesis, LeftSquareBracket, Function: FunctionStart } = csstree.tokenTypes
  const { RightCurlyBracket, RightParenthesis, RightSquareBracket } = csstree.tokenTypes
  const opening = new Set([LeftCurlyBracket, LeftParenthesis, LeftSquareBracket, FunctionStart])
  const closing = new Set([RightCurlyBracket, RightParenthesis, RightSquareBracket])
  let depth = 0
  let deepest = 0
  csstree.tokenize(css, (type) => {
    if (opening.has(type)) depth += 1
    else if (closing.has(type)) depth = Math.max(0, depth - 1)
    deepest = Math.max(deepest, depth)
  })
  return deepest
}
