// The engine ships no types for this module of its own.
declare module 'oidc-provider/lib/helpers/challenge.js' {
  export default class ServerChallenge {
    constructor(secret: Buffer, info: string)
    nextChallenge(): string
    checkChallenge(challenge: string): boolean
  }
}
