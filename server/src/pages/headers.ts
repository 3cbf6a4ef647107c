// The headers every page is sent with. Nothing is inline, so the policy needs neither nonce nor hash (S47).

export interface PolicyOptions {
  /** True when the realm's checked style sheet shows `data:` images (`usesDataImages` of `renderThemeCss`). */
  dataImages?: boolean
  /** Addresses the page shows in frames; only their origins enter the policy. */
  frameSources?: string[]
  /**
   * Addresses, beside our own, that a form of this page may lead to. Chromium applies form-action to every redirect that
   * follows a form, also to those of the application: a form that ends at an application needs it, one that ends in
   * `renderContinuePage` does not. A bare scheme, `https:`, stands for all its addresses.
   */
  formAction?: string[]
  /** True for a page that loads a script of ours (`stepPageUsesScript`). */
  script?: boolean
  /** True where that script asks this server something (`stepPageWaits`). */
  connects?: boolean
}

export function contentSecurityPolicy(options: PolicyOptions = {}): string {
  return buildPolicy(options, ["'self'", ...toSources(options.formAction ?? [])], options.script === true)
}

export function pageHeaders(options: PolicyOptions = {}): Record<string, string> {
  return buildHeaders(contentSecurityPolicy(options))
}

/** Of the page whose form sends itself to `action`, most often a redirect URI (`renderFormPostPage`). */
export function formPostHeaders(action: string, options: PolicyOptions = {}): Record<string, string> {
  // Applications often answer the response with a redirect to another host of theirs. Chromium would stop that under a
  // policy that names the redirect URI alone, so every https address is allowed.
  const sources = toSources([action, 'https:', ...(options.formAction ?? [])])
  return buildHeaders(buildPolicy(options, sources, true))
}

function buildPolicy(
  { dataImages, connects, frameSources = [] }: PolicyOptions,
  formAction: string[],
  script: boolean,
): string {
  const frames = toSources(frameSources)
  return [
    "default-src 'none'",
    ...(script ? ["script-src 'self'"] : []),
    ...(script && connects ? ["connect-src 'self'"] : []),
    "style-src 'self'",
    dataImages ? "img-src 'self' data:" : "img-src 'self'",
    ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
    `form-action ${formAction.join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

function buildHeaders(policy: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    // Browsers without frame-ancestors still obey this one.
    'x-frame-options': 'DENY',
    // Page addresses can hold one-time values; no other site may learn them. With `no-referrer` a browser would send our own
    // forms with `Origin: null`, which cannot be told from a foreign one.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    // Pages carry CSRF values and names; the back button after sign-out must not show them.
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
  }
}

function toSources(addresses: string[]): string[] {
  return [...new Set(addresses.map(toSource).filter((source) => source !== null))]
}

/** What the policy calls an address: its origin. An address that cannot be read adds nothing. */
function toSource(address: string): string | null {
  if (address === 'https:') return address
  if (/^[a-z][a-z0-9+.-]*:$/.test(address)) return address
  const url = URL.parse(address)
  if (!url) return null
  // A private scheme has no host, and the policy has no way to write an IPv6 address: both are allowed by their scheme.
  if (!/^https?:$/.test(url.protocol) || url.hostname.startsWith('[')) return url.protocol
  return url.origin
}
