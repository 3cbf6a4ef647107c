import type { ClaimMapper, Person } from './mapper.ts'

const inSeconds = (epochMs: number) => Math.floor(epochMs / 1000)

/** The properties of a person by their name in the API; a claim about nothing is no claim. */
const properties = new Map<string, (person: Person) => unknown>([
  ['userId', (person) => person.userId],
  ['username', (person) => person.username],
  ['fullName', readFullName],
  ['email', (person) => person.email],
  ['emailVerified', (person) => (person.email === null ? null : person.emailVerified)],
  ['phone', (person) => person.phone],
  ['phoneVerified', (person) => (person.phone === null ? null : person.phoneVerified)],
  ['locale', (person) => person.locale],
  ['createdAt', (person) => inSeconds(person.createdAt)],
  ['updatedAt', (person) => inSeconds(person.updatedAt)],
])
export const propertyKeys = [...properties.keys()]

type Session = NonNullable<Person['session']>
const sessionMembers = new Map<string, (session: Session) => unknown>([
  ['authTime', (session) => session.authTime],
  ['acr', (session) => session.acr],
  ['amr', (session) => session.amr],
  ['sid', (session) => session.sid],
])
export const sessionKeys = [...sessionMembers.keys()]

/** The values that a mapper finds, before they are converted. Roles of clients are the mapper's own business. */
export function readSource(mapper: ClaimMapper, person: Person): unknown[] {
  const { source, sourceKey } = mapper
  switch (source) {
    case 'PROPERTY':
      return listOf(properties.get(sourceKey ?? '')?.(person))
    case 'ATTRIBUTE':
      return listOf(readAttribute(person, sourceKey))
    case 'REALM_ROLES':
      return person.realmRoles
    case 'CLIENT_ROLES':
      return person.clientRoles.filter(({ clientId }) => clientId === sourceKey).map((role) => role.name)
    case 'GROUPS':
      return person.groups
    case 'ORGANIZATION':
      return readOrganizations(mapper, person)
    case 'CONSTANT':
      return mapper.multivalued ? listOf(mapper.value) : [mapper.value]
    case 'SESSION':
      return person.session ? listOf(sessionMembers.get(sourceKey ?? '')?.(person.session)) : []
  }
}

/** Contract 2.61: an object by alias as JSON; the aliases alone as any other type. */
function readOrganizations(mapper: ClaimMapper, person: Person): unknown[] {
  const aliases = Object.keys(person.organizations)
  if (mapper.type !== 'JSON') return aliases
  return aliases.length === 0 ? [] : [person.organizations]
}

function readAttribute(person: Pick<Person, 'attributes'>, key: string | null): string | string[] | null {
  // Also a name that every object has, such as toString, is only an attribute when somebody set it.
  if (key === null || !Object.hasOwn(person.attributes, key)) return null
  return person.attributes[key]!
}

export function firstAttribute(person: Pick<Person, 'attributes'>, key: string | null): string | null {
  const found = readAttribute(person, key)
  return Array.isArray(found) ? (found[0] ?? null) : found
}

function readFullName(person: Person): string {
  const names = ['firstName', 'lastName'].map((key) => firstAttribute(person, key) ?? '')
  return names.join(' ').trim() || person.username
}

function listOf(value: unknown): unknown[] {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? value : [value]
}
