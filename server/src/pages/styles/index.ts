// The one style sheet of all pages, written as strings because the compiler ships only TypeScript.
// WCAG 2.2 AA; its variables and class names are documented in docs/integrate/theming.md.
// Called by assets.ts, which gives it a name with a hash.

import { account } from './account.ts'
import { adaptations } from './adaptations.ts'
import { approvals } from './approvals.ts'
import { base } from './base.ts'
import { content } from './content.ts'
import { forms } from './forms.ts'
import { impersonation } from './impersonation.ts'
import { requests } from './requests.ts'
import { steps } from './steps.ts'
import { transactions } from './transactions.ts'
import { darkPalette, lightPalette } from './palettes.ts'

const fixed = `
  --gh-radius: 10px;
  --gh-font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
  --gh-font-mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace;
  --gh-background-image: radial-gradient(90rem 48rem at 50% -16rem, color-mix(in srgb, var(--gh-primary) 14%, transparent), color-mix(in srgb, var(--gh-primary) 4%, transparent) 55%, transparent);`

const lightShadow = '0 1px 2px rgb(16 24 48 / 0.04), 0 12px 40px -12px rgb(16 24 48 / 0.14)'
const darkShadow = '0 1px 2px rgb(0 0 0 / 0.3), 0 16px 48px -12px rgb(0 0 0 / 0.5)'

export const styleSheet = `:root {
  color-scheme: light dark;${fixed}
  --gh-shadow: ${lightShadow};
${writeVariables(lightPalette)}
}
@media (prefers-color-scheme: dark) {
:root {
  --gh-shadow: ${darkShadow};
${writeVariables(darkPalette)}
}
}
${[base, forms, content, requests, steps, approvals, account, transactions, impersonation, adaptations].map((part) => part.trim()).join('\n')}
`

function writeVariables(palette: Readonly<Record<string, string>>): string {
  return Object.entries(palette)
    .map(([name, value]) => `  ${name}: ${value};`)
    .join('\n')
}
