// The headers every page is sent with. Nothing is inline, so the policy needs neither nonce nor hash (S47).

export interface PolicyOptions {
  /** True when the realm's checked style sheet shows `data:` images (`usesDataImages` of `renderThemeCss`). */
  dataImages?: boolean
}

export function contentSecurityPolicy({ dataImages = false }: PolicyOptions = {}): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    dataImages ? "img-src 'self' data:" : "img-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

export function pageHeaders(options: PolicyOptions = {}): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(options),
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
