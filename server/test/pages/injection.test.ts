import { describe, expect, test } from 'vitest'
import { renderPageStates } from './page-states.ts'

const corpus = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg onload=alert(1)>",
  '" autofocus onfocus="alert(1)',
  '</title><script>alert(1)</script>',
  '</p></main><style>*{display:none}</style>',
  '--><script>alert(1)</script><!--',
  '<![CDATA[<script>alert(1)</script>]]>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&quot; onclick=&quot;alert(1)',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '//evil.example/',
  '/\\evil.example/',
  '{realm}{username}{wait}{status}',
  '{{constructor.constructor("alert(1)")()}}',
  '$& $1 $`',
  '../../../x?y=z#<b>',
  '\u202Egnp.exe',
  '\0<b>',
]

/** Element and attribute names in order: what a browser builds from the page, without the texts. */
function readSkeleton(html: string): string[] {
  const tags = [...html.matchAll(/<(\/?[a-z0-9]+)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*\/?>/gi)]
  // Every "<" must belong to a tag we wrote; one is the doctype.
  expect(html.split('<').length - 1).toBe(tags.length + 1)
  return tags.map(([, name, attributes = '']) => {
    const names = [...attributes.matchAll(/\s+([a-z-]+)(?:="[^"]*")?/gi)].map(([, attribute]) => attribute)
    return [name, ...names].join(' ')
  })
}

function readAddresses(html: string): string[] {
  return [...html.matchAll(/\s(?:href|src|action)="([^"]*)"/g)].map(([, address = '']) => address)
}

const benign = renderPageStates()

describe('every page', () => {
  test.each(corpus)('S47: shows %j as text in every field', (attack) => {
    // The attack is appended to a unique text, so that lists keep distinct keys; alone it is tried as well.
    for (const fill of [() => attack, (text: string) => text + attack, (text: string) => attack + text]) {
      for (const [name, html] of Object.entries(renderPageStates(fill))) {
        expect(readSkeleton(html), name).toEqual(readSkeleton(benign[name] ?? ''))
        for (const address of readAddresses(html)) {
          expect(address, name).toMatch(/^(?:#$|\?|\/(?![/\\])|https:\/\/|mailto:|otpauth:\/\/totp\/)/)
        }
      }
    }
  })

  test.each(Object.entries(benign))('S47: %s has no inline style, script or event handler', (name, html) => {
    // Few pages load a script of ours and one shows frames of applications; their policies name them.
    const hasScript = name.startsWith('form-post') || /data-(?:passkey|wait)=/.test(html)
    const rest = html
      .replace(hasScript ? /<script src="\/assets\/[^"]+" defer><\/script>/ : '', '')
      .replaceAll(name === 'logged-out-frames' ? /<iframe [^>]*src="https:[^"]+"[^>]*><\/iframe>/g : /$^/g, '')
    expect(rest).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=|javascript:|<iframe|<object|<base/i)
  })

  test.each(Object.entries(benign))('%s is a complete document with one heading and one main part', (_name, html) => {
    expect(html).toMatch(/^<!doctype html>\n<html lang="(?:en|nl|de|fr)" dir="ltr">/)
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html.match(/<main/g)).toHaveLength(1)
    expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1"')
  })
})
