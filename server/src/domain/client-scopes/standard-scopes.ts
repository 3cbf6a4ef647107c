// The client scopes and claim mappers that every realm starts with: contract 1.6, OpenID Connect Core 5.1 and 5.4.
import { ClaimInput } from '../claims/index.ts'

export interface StandardScope {
  name: string
  description: string
  consentText: string | null
  defaultScope: boolean
  claims: ClaimInput[]
}

type Draft = Pick<ClaimInput, 'claim' | 'source'> & Partial<ClaimInput>

/** About the person: for who signs them in. Access tokens stay small and say little to the services they are shown to (RFC 9068). */
const aboutThePerson = { inIdToken: true, inUserinfo: true, inAccessToken: false, inIntrospection: false }
/** What the person may do: for the services. An ID token says who somebody is, not what they may. */
const forServices = { inIdToken: false, inUserinfo: false, inAccessToken: true, inIntrospection: true }

const mapper = (draft: Draft): ClaimInput => ClaimInput.parse({ name: draft.claim, ...draft })

const attribute = (claim: string, sourceKey = claim) =>
  mapper({ claim, source: 'ATTRIBUTE', sourceKey, ...aboutThePerson })
const property = (claim: string, sourceKey: string, type: ClaimInput['type'] = 'STRING') =>
  mapper({ claim, source: 'PROPERTY', sourceKey, type, ...aboutThePerson })
const list = (claim: string, source: ClaimInput['source'], inUserinfo: boolean) =>
  mapper({ claim, source, multivalued: true, ...forServices, inUserinfo })

const profile = [
  property('name', 'fullName'),
  attribute('family_name', 'lastName'),
  attribute('given_name', 'firstName'),
  property('preferred_username', 'username'),
  property('locale', 'locale'),
  property('updated_at', 'updatedAt', 'NUMBER'),
  ...['middle_name', 'nickname', 'profile', 'picture', 'website', 'gender', 'birthdate', 'zoneinfo'].map((claim) =>
    attribute(claim),
  ),
]

const address = ['formatted', 'street_address', 'locality', 'region', 'postal_code', 'country'].map((member) =>
  attribute(`address.${member}`, member),
)

const roles = [
  list('roles', 'REALM_ROLES', true),
  // The names that products of other makers have looked for ever since.
  list('realm_access.roles', 'REALM_ROLES', false),
  list('resource_access.{clientId}.roles', 'CLIENT_ROLES', false),
]

const scope = (
  name: string,
  description: string,
  consentText: string | null,
  claims: ClaimInput[] = [],
): StandardScope => ({
  name,
  description,
  consentText,
  // Contract 2.15: every client may ask for these.
  defaultScope: ['openid', 'profile', 'email', 'roles'].includes(name),
  claims,
})

export const standardScopes: StandardScope[] = [
  scope('openid', 'Sign-in with OpenID Connect', 'Sign you in'),
  scope('profile', 'Name and other profile data', 'See your name and profile', profile),
  scope('email', 'E-mail address and whether it is verified', 'See your e-mail address', [
    property('email', 'email'),
    property('email_verified', 'emailVerified', 'BOOLEAN'),
  ]),
  scope('address', 'Postal address', 'See your postal address', address),
  scope('phone', 'Telephone number and whether it is verified', 'See your telephone number', [
    property('phone_number', 'phone'),
    property('phone_number_verified', 'phoneVerified', 'BOOLEAN'),
  ]),
  scope('offline_access', 'Refresh tokens that outlive the session', 'Keep access while you are not there'),
  scope('roles', 'Roles in the realm and at clients', 'See your roles', roles),
  scope('groups', 'Groups', 'See your groups', [list('groups', 'GROUPS', true)]),
  scope('organization', 'Organizations with the roles in them', 'See your organizations', [
    mapper({ claim: 'organization', source: 'ORGANIZATION', type: 'JSON', ...forServices, inUserinfo: true }),
  ]),
  scope('account', 'The account of the person: profile, credentials, sessions', 'Manage your account'),
]
