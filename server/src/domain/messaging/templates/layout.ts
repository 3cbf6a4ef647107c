// The one HTML frame of our mails: tables and inline styles, because mail programs know little else.
import { formatHexColor, parseHexColor, pickOnColor } from '../../branding/index.ts'
import { cleanValue, escapeHtml } from './placeholders.ts'

export interface MailLook {
  realmName: string
  /** `#rgb` or `#rrggbb`; null is our own. */
  primaryColor: string | null
  lang: string
  dir: 'ltr' | 'rtl'
}

/** A piece of a mail, its texts already filled in and escaped. */
export type MailBlock =
  | { kind: 'paragraph'; html: string }
  | { kind: 'code'; html: string }
  | { kind: 'button'; url: string; label: string; hint: string }

const ourColor = '#3b55d9'
const fonts = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const ink = '#1b2130'
const faint = '#5d6678'

// Programs that know dark mode turn these; the others never see the rule.
const darkStyle = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .gh-page { background: #12151c !important; }
  .gh-card { background: #1b2029 !important; }
  .gh-text { color: #e7eaf1 !important; }
  .gh-faint, .gh-faint a { color: #a2abbd !important; }
  .gh-code { background: #262d3a !important; color: #ffffff !important; }
}`

export function layOutMail(
  look: MailLook,
  mail: { title: string; preheader: string; blocks: MailBlock[]; footer: string },
): string {
  const primary = parseHexColor(look.primaryColor ?? ourColor) ?? parseHexColor(ourColor)!
  const [surface, onSurface] = [formatHexColor(primary), formatHexColor(pickOnColor(primary))]
  const name = escapeHtml(cleanValue(look.realmName))
  const align = look.dir === 'rtl' ? 'right' : 'left'
  const blocks = mail.blocks.map((block) => renderBlock(block, surface, onSurface)).join('\n')
  return `<!doctype html>
<html lang="${escapeHtml(look.lang)}" dir="${look.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${mail.title}</title>
<style>${darkStyle}</style>
</head>
<body class="gh-page" style="margin:0;padding:0;background:#f2f4f8;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;font-size:1px;line-height:1px;color:#f2f4f8">${mail.preheader}</div>
<table role="presentation" class="gh-page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f2f4f8">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;width:100%">
<tr><td style="height:4px;line-height:4px;font-size:4px;background:${surface};border-radius:8px 8px 0 0">&nbsp;</td></tr>
<tr><td class="gh-card" align="${align}" style="background:#ffffff;padding:28px 32px;border-radius:0 0 8px 8px">
<p class="gh-text" style="margin:0 0 20px;font:600 18px/1.3 ${fonts};color:${ink}">${name}</p>
${blocks}
</td></tr>
<tr><td class="gh-faint" align="${align}" style="padding:16px 32px;font:400 12px/1.5 ${fonts};color:${faint}">${mail.footer}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

function renderBlock(block: MailBlock, surface: string, onSurface: string): string {
  if (block.kind === 'paragraph') {
    return `<p class="gh-text" style="margin:0 0 16px;font:400 16px/1.5 ${fonts};color:${ink}">${block.html}</p>`
  }
  if (block.kind === 'code') {
    const style = `display:inline-block;padding:12px 20px;border-radius:6px;background:#eef1f7;color:${ink};font:600 28px/1.2 Consolas,Menlo,monospace;letter-spacing:4px`
    return `<p style="margin:0 0 16px"><span class="gh-code" dir="ltr" style="${style}">${block.html}</span></p>`
  }
  const url = escapeHtml(block.url)
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 16px"><tr>
<td style="border-radius:6px;background:${surface}"><a href="${url}" style="display:inline-block;padding:12px 24px;border-radius:6px;background:${surface};color:${onSurface};font:600 16px/1.2 ${fonts};text-decoration:none">${escapeHtml(block.label)}</a></td>
</tr></table>
<p class="gh-faint" style="margin:0 0 16px;font:400 13px/1.5 ${fonts};color:${faint}">${escapeHtml(block.hint)}<br><a href="${url}" style="color:${faint};word-break:break-all">${url}</a></p>`
}
