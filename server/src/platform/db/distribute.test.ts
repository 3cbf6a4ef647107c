import { expect, test } from 'vitest'
import { createScratchDatabase } from '../../../test/services/scratch-database.ts'
import { distribute, orderByReference } from './distribute.ts'

test('distributes a table only after those its foreign keys point to, beginning with realms', () => {
  const tables = [
    { name: 'audit_events', references: [] },
    { name: 'credentials', references: ['users'] },
    { name: 'realms', references: [] },
    { name: 'users', references: ['realms'] },
  ]
  expect(orderByReference(tables)).toEqual(['realms', 'audit_events', 'users', 'credentials'])
})

test('refuses foreign keys that run in a circle', () => {
  const circle = [
    { name: 'a', references: ['b'] },
    { name: 'b', references: ['a'] },
  ]
  expect(() => orderByReference(circle)).toThrow('foreign keys run in a circle: a, b')
})

test('says that the server has no Citus and changes nothing', async () => {
  const database = await createScratchDatabase({ migrated: true })
  const offered = await database.run(`select 1 from pg_available_extensions where name = 'citus'`)
  const lines: string[] = []
  const result = await distribute({ adminUrl: database.ownerUrl, log: (line) => lines.push(line) })
  expect(result.exitCode).toBe(offered.rowCount === 0 ? 2 : 0)
  expect(lines[0]).toMatch(offered.rowCount === 0 ? /does not offer the extension citus/ : /^distributed realms/)
  await database.drop()
})
