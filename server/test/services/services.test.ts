import { readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { isAlive, startPgBouncer, startRedis } from './index.mjs'

async function ask(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('PgBouncer pools transactions for the roles of the service and is gone after stop', async () => {
  const bouncer = await startPgBouncer({ target: inject('adminUrl') })
  const url = new URL(bouncer.url)
  url.username = 'gatehouse_app'
  expect(await ask(url.href, 'select current_user::text as name')).toEqual([{ name: 'gatehouse_app' }])
  expect(readFileSync(`${bouncer.home}/pgbouncer.ini`, 'utf8')).toContain('pool_mode = transaction')
  await bouncer.stop()
  expect(isAlive(bouncer.pid)).toBe(false)
})

test('two Redis servers run beside each other on ports of their own', async () => {
  const [first, second] = await Promise.all([startRedis(), startRedis()])
  expect(first.port).not.toBe(second.port)
  await Promise.all([first.stop(), second.stop()])
  expect([isAlive(first.pid), isAlive(second.pid)]).toEqual([false, false])
})
