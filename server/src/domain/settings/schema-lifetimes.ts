import { z } from 'zod'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

function seconds(min: number, max: number, fallback: number) {
  return z.int().min(min).max(max).default(fallback)
}

/** Defaults are contract 2.20 and 2.21. */
export const lifetimeMembers = {
  // Access tokens cannot be called back everywhere: a day is the most that a leaked one may live.
  accessTokenLifetimeSeconds: seconds(10, day, 300).describe('Life of an access token.'),
  idTokenLifetimeSeconds: seconds(10, day, 300).describe('Life of an ID token.'),
  refreshTokenLifetimeSeconds: seconds(minute, 365 * day, 36_000).describe('Life of a chain of refresh tokens.'),
  refreshTokenIdleSeconds: seconds(minute, 365 * day, 1800).describe('Time after which an unused refresh token ends.'),
  // The grace only has to outlast a lost answer; longer would help a thief.
  refreshTokenGraceSeconds: seconds(0, minute, 10).describe(
    'Time in which a refresh token may be sent once more, so that a lost answer does not sign anybody out.',
  ),
  offlineSessionIdleSeconds: seconds(minute, 365 * day, 30 * day).describe(
    'Time after which an unused refresh token with offline_access ends.',
  ),
  // RFC 6749 section 4.1.2 recommends ten minutes at most.
  authorizationCodeLifetimeSeconds: seconds(5, 10 * minute, 60).describe('Life of an authorization code.'),
  deviceCodeLifetimeSeconds: seconds(minute, 30 * minute, 600).describe('Life of a device code (RFC 8628).'),
  ssoSessionIdleSeconds: seconds(minute, 90 * day, 1800).describe('Time after which an unused session ends.'),
  ssoSessionMaxSeconds: seconds(5 * minute, 365 * day, 36_000).describe('Life of a session, however much it is used.'),
  adminSessionIdleSeconds: seconds(minute, day, 1800).describe(
    'Time after which a session that is not used for administration loses access to the admin API.',
  ),
}
