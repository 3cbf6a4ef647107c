// A database of its own for tests that change the schema itself; other tests share a clone per worker.
import pg from 'pg'
import { inject } from 'vitest'

export interface ScratchDatabase {
  /** As the owning role, which runs migrations. */
  ownerUrl: string
  /** As the serving role. */
  appUrl: string
  run(text: string): Promise<pg.QueryResult>
  drop(): Promise<void>
}

function withDatabase(adminUrl: string, database: string, user?: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  if (user) url.username = user
  return url.href
}

async function runOnce(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

let made = 0

/** Empty, or a copy of the migrated template. */
export async function createScratchDatabase({ migrated }: { migrated: boolean }): Promise<ScratchDatabase> {
  const adminUrl = inject('adminUrl')
  made += 1
  const name = `scratch_${process.pid}_${made}`
  const template = migrated ? 'template gatehouse_template' : ''
  await runOnce(adminUrl, `create database ${name} ${template} owner gatehouse_owner`)
  const ownerUrl = withDatabase(adminUrl, name, 'gatehouse_owner')
  return {
    ownerUrl,
    appUrl: withDatabase(adminUrl, name, 'gatehouse_app'),
    run: (text) => runOnce(ownerUrl, text),
    drop: async () => {
      await runOnce(adminUrl, `drop database ${name} with (force)`)
    },
  }
}
