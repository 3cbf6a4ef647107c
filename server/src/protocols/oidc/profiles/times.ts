/** FAPI 2.0 section 5.3.2.1: a clock that is up to ten seconds ahead of ours is no reason to refuse. */
export const clockToleranceSeconds = 10
/** Contract 2.18. */
export const assertionSeconds = 300
/** FAPI 2.0 Message Signing section 5.3.1: an hour between the two ends of a signed request. */
export const requestObjectSeconds = 3600
/** FAPI 2.0 section 5.3.2.1: what is dated further ahead was made to be kept. */
export const fapiFutureSeconds = 60
/** How old a proof without our nonce may be; the engine’s own window, within which its `jti` is remembered. */
export const proofSeconds = 300

/** The engine and the libraries of our clients read the machine’s clock. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
