import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { must } from '../../test/harness/realm.ts'
import { createBrowser, createRealmFor, startTestNode } from '../../test/harness/index.ts'
import { loadConfig } from '../platform/config/index.ts'
import { runReseal } from './reseal.ts'

it('S51 seals everything with a new master key, after which the old one is not needed', async () => {
  const oldKey = `old:${randomBytes(32).toString('base64')}`
  const newKey = `new:${randomBytes(32).toString('base64')}`
  const node = await startTestNode({ env: { GATEHOUSE_MASTER_KEYS: oldKey } })
  const realm = await createRealmFor({ node })
  const captcha = { provider: 'turnstile', siteKey: 'site', secret: 'captcha-secret' }
  await must(realm.call('PUT', '/settings', { captcha }), 200)
  const headers = { 'idempotency-key': 'kept' }
  const first = await must(realm.call('POST', '/users', { username: 'once' }, { headers }), 201)
  const cookies = new Map(realm.admin.cookies)
  await node.stop()

  const database = { url: node.databaseUrl, adminUrl: node.adminDatabaseUrl }
  const env = { GATEHOUSE_DATABASE_URL: database.url, GATEHOUSE_DATABASE_ADMIN_URL: database.adminUrl }
  const lines: string[] = []
  const config = loadConfig({ ...env, GATEHOUSE_MASTER_KEYS: `${newKey},${oldKey}` })
  expect(await runReseal(config, (line) => lines.push(line))).toBe(0)
  expect(lines.find((line) => line.startsWith('realm_keys'))).toContain('2 sealed anew')
  // Every realm has a salt for pairwise subjects there.
  expect(lines.find((line) => line.startsWith('realm_settings'))).toContain('2 sealed anew')
  expect(await runReseal(config, (line) => lines.push(line))).toBe(0)
  expect(lines.at(-1)).toContain(': 0 sealed anew')

  const later = await startTestNode({ database, env: { GATEHOUSE_MASTER_KEYS: newKey } })
  const again = await createRealmFor({ node: later })
  expect((await again.call('GET', '/health')).body.components.signingKey.status).toBe('UP')
  const repeated = createBrowser(later.url)
  for (const [name, value] of cookies) repeated.cookies.set(name, value)
  const answer = await repeated.write('POST', `/admin/realms/${realm.realmId}/users`, { username: 'once' }, { headers })
  expect(answer.body).toEqual(first.body)
  const { openCaptchaSecret } = await import('../domain/settings/index.ts')
  expect(await openCaptchaSecret(later.services, realm.realmId)).toBe('captcha-secret')
  await later.stop()
})
