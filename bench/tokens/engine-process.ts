// A process with nothing but the engine, on its own server and with the adapter it is told: what ours is compared with.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:http'
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js'
import Lru from 'oidc-provider/lib/helpers/lru.js'
import { type Adapter, Provider } from 'oidc-provider'
import pg from 'pg'
import { configureEngine, machineClient, webClient } from './engine-configuration.ts'
import { createModels } from './engine-models.ts'
import { createPostgresAdapter, createTables } from './postgres-adapter.ts'

// As many as the service has by default (GATEHOUSE_DATABASE_POOL).
const poolSize = 10
// The engine's own bound of 1,000 would forget codes that were made ahead.
const memoryEntries = 1_000_000

type Adapters = ((model: string) => Adapter) | undefined

async function chooseAdapter(databaseUrl: string | undefined, clients: object[]): Promise<Adapters> {
  if (!databaseUrl) {
    const store = new Lru({ maxSize: memoryEntries })
    return (model) => new MemoryAdapter(model, store) as unknown as Adapter
  }
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize })
  await pool.query(createTables)
  for (const client of clients as { client_id: string }[])
    await pool.query('insert into engine_clients values ($1, $2)', [client.client_id, client])
  return createPostgresAdapter(pool)
}

export interface Supply {
  what: 'codes' | 'tokens'
  count: number
}

const [databaseUrl] = process.argv.slice(2)
const server = createServer()
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const secrets = { machine: randomBytes(32).toString('base64url'), web: randomBytes(32).toString('base64url') }
const clients = [machineClient(secrets.machine), webClient(secrets.web)]
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key = { ...privateKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256', use: 'sig' }
const adapter = await chooseAdapter(databaseUrl, clients)
// In memory clients are configuration; in a database they are rows.
const configuration = { ...configureEngine(issuer, key), adapter, ...(databaseUrl ? {} : { clients }) }
const provider = new Provider(issuer, configuration as never)
const answer = provider.callback()
server.on('request', (request, response) => void answer(request, response))
const models = createModels(provider, issuer)
process.on('message', ({ what, count }: Supply) => {
  void models[what](count).then((made) => process.send!(made))
})
process.once('disconnect', () => process.exit(0))
process.send!({ url: issuer, secrets })
