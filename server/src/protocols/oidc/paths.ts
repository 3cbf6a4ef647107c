/** The engine's paths below the issuer (contract 4.27). */
export const routes = {
  authorization: '/authorize',
  token: '/token',
  userinfo: '/userinfo',
  end_session: '/logout',
  jwks: '/.well-known/jwks.json',
  revocation: '/revoke',
  introspection: '/introspect',
  pushed_authorization_request: '/par',
  device_authorization: '/device_authorization',
  code_verification: '/device',
  backchannel_authentication: '/bc-authorize',
} as const
