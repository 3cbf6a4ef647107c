import { randomBytes } from 'node:crypto'
import {
  filterKeyId,
  hashAddress,
  hashTypedName,
  unknownSubjectKeyId,
} from '../../server/src/domain/events/audit-keys.ts'
import { actorPlace } from '../../server/src/domain/events/record.ts'
import { createSealer, encryptRecord } from '../../server/src/platform/crypto/index.ts'
import type { Loading } from './connection.ts'
import type { EventLoad } from './events.ts'

export interface EventSecrets {
  /** One after the other, 16 bytes each: the database finds the n-th of them without walking over the others. */
  addressHashes: Buffer
  nameHashes: Buffer
  /** Stands for the sealed part of people who were erased: right in length, opened by no key. */
  filler: Buffer
  monthKey: { id: string; key: Buffer }
}

export const addresses = 5000
export const typedNames = 1000
// The newest events open as those of the service do; they are what pages show most.
const sealedEvents = 2000

export const addressOf = (number: number) => `10.20.${Math.floor(number / 250)}.${1 + (number % 250)}`
export const typedNameOf = (number: number) => `nobody-${number}`

const personalPart = (name: string | null) =>
  JSON.stringify({
    name,
    ip: addressOf(17),
    agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari',
  })

export async function prepareEventSecrets({ client, now }: Loading, load: EventLoad): Promise<EventSecrets> {
  const sealer = createSealer(load.masterKeys)
  const makeKey = async (id: string) => {
    const key = randomBytes(32)
    const sealed = sealer.seal(key, `audit_keys:${load.realmId}:${id}:key`)
    await client.query('insert into audit_keys (realm_id, id, key_sealed, created_at) values ($1, $2, $3, $4)', [
      load.realmId,
      id,
      sealed,
      now,
    ])
    return { id, key }
  }
  const filterKey = await makeKey(filterKeyId(load.realmId))
  const monthKey = await makeKey(unknownSubjectKeyId(load.realmId, now))
  return {
    addressHashes: Buffer.concat(
      Array.from({ length: addresses }, (_, at) => hashAddress(filterKey.key, addressOf(at))),
    ),
    nameHashes: Buffer.concat(
      Array.from({ length: typedNames }, (_, at) =>
        Buffer.from(hashTypedName(filterKey.key, typedNameOf(at)).slice('name:'.length), 'hex'),
      ),
    ),
    filler: encryptRecord(monthKey.key, personalPart(null), 'nowhere'),
    monthKey,
  }
}

export async function sealNewestEvents({ client }: Loading, load: EventLoad, secrets: EventSecrets): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    'select id from audit_events where realm_id = $1 order by id desc limit $2',
    [load.realmId, sealedEvents],
  )
  const sealed = rows.map(({ id }) =>
    encryptRecord(secrets.monthKey.key, personalPart('Nobody-1'), actorPlace(load.realmId, id)),
  )
  await client.query(
    `update audit_events set actor_sealed = sealed, actor_key_id = $2
     from unnest($3::uuid[], $4::bytea[]) as parts(part_id, sealed) where realm_id = $1 and id = part_id`,
    [load.realmId, secrets.monthKey.id, rows.map(({ id }) => id), sealed],
  )
}
