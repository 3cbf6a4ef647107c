const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d{1,5})?(?=[/?]|$)/

/** Exact match (RFC 9700), but for the port of a loopback address, which native applications cannot know ahead (RFC 8252). */
export function matchesRedirectUri(registered: readonly string[], sent: string): boolean {
  if (registered.includes(sent)) return true
  const withoutPort = dropLoopbackPort(sent)
  return withoutPort !== null && registered.some((uri) => dropLoopbackPort(uri) === withoutPort)
}

function dropLoopbackPort(uri: string): string | null {
  const match = loopback.exec(uri)
  return match ? `http://${match[1]!}${uri.slice(match[0].length)}` : null
}
