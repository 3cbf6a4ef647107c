import { newId } from '../../platform/ids/index.ts'
import type { Context } from '../context/index.ts'
import { type Client, ClientInput } from './schema.ts'
import { createClient } from './service.ts'

/** A confidential client with a service account, for the examples of routes that name one. */
export async function makeExampleClient(ctx: Context): Promise<Client> {
  const { secret: _secret, ...client } = await createClient(
    ctx,
    ClientInput.parse({ clientId: `example-${newId()}`, grantTypes: ['client_credentials'] }),
  )
  return client
}

/** For paths that name it `{clientId}`. */
export async function exampleClient(ctx: Context): Promise<Record<string, string>> {
  return { clientId: (await makeExampleClient(ctx)).id }
}

/** For paths that name it `{id}`. */
export async function exampleClientId(ctx: Context): Promise<Record<string, string>> {
  return { id: (await makeExampleClient(ctx)).id }
}
