/** Where an answer with an error comes from, as paths below the issuer; `api` is any resource that takes access tokens. */
export type OauthPlace =
  | 'authorize'
  | 'par'
  | 'token'
  | 'device_authorization'
  | 'bc-authorize'
  | 'connect/register'
  | 'introspect'
  | 'revoke'
  | 'logout'
  | 'userinfo'
  | 'api'

export interface OauthCause {
  cause: string
  /** What to change, with the name of the setting where there is one. */
  remedy: string
}

/** An error code of OAuth or OpenID Connect as this service uses it; the text of its page at /errors/{code}. */
export interface OauthErrorKind {
  /** Of the answer as a document; on the way back to an application there is a redirect instead. */
  status: number
  title: string
  /** The standard that defines the code, with the section. */
  standard: string
  places: OauthPlace[]
  /** What happened, in one sentence. */
  explanation: string
  /** What to do when nothing else is known. */
  remedy: string
  /** What is usually behind it, likeliest first. */
  causes: OauthCause[]
}

/** What a description says more exactly than the code. */
export interface OauthHint extends OauthCause {
  /** Part of the description, in any case of letters. */
  says: string
}
