// A registration with a chain of certificates is a few kilobytes.
const maxLength = 32_768

/** What the browser's authenticator answered; null for anything that is not an object. */
export function readAssertion(text: string | undefined): object | null {
  if (!text || text.length > maxLength) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}
