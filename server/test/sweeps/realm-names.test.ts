// S5: names that would shadow a path of the service, or look like another realm's, are refused everywhere.
// Contract 1.2; the paths are sent as they are, without the tidying a browser does.
import { request as httpRequest } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem, fieldsOf } from './problems.ts'
import { openStages, type Stages } from './stage.ts'

let stages: Stages
beforeAll(async () => {
  stages = await openStages()
})

const reserved = [
  ...['admin', 'realms', 'monitoring', 'v3', 'assets', 'console', 'access', 'errors', 'static', 'interactive-docs'],
]
const malformed = [
  ...['', '.', '..', '../master', '..%2fmaster', 'a/b', 'a%2fb', 'a\\b', 'a b', ' a', 'a ', 'A', 'Master', 'MASTER'],
  ...['-a', 'a_b', 'a.b', 'a;b', 'a?b', 'a#b', 'a:b', 'a@b', 'a|b', 'a\nb', 'a\rb', 'a\tb', "a'b", 'a"b', '<a>', '*'],
  // Confusables: Cyrillic а, full-width m, ligature, combining mark, zero-width and direction marks, Kelvin sign, dotless i.
  ...['m\u0430ster', '\uff4daster', 'o\ufb03ce', 'e\u0301', 'mas\u200bter', '\u202emaster', '\u212a', 'adm\u0131n'],
  ...['xn--\u0430', '\u{1d41a}', '\ud83d\ude00', '１２３', 'a'.repeat(64), 'a'.repeat(5000)],
]

describe('S5: POST /admin/realms', () => {
  test.each([...reserved, ...malformed].map((name) => [JSON.stringify(name).slice(0, 40), name]))(
    'refuses %s',
    async (_text, name) => {
      const answer = await stages.system.admin.write('POST', '/admin/realms', { name })
      expectProblem(answer, 400, 'validation_failed')
      expect(fieldsOf(answer)).toEqual(['name'])
    },
  )

  test('takes the shortest and the longest name', async () => {
    for (const name of [`${Date.now() % 10}${Math.random().toString(36)[2]}`, `z${Date.now()}${'a'.repeat(49)}`]) {
      const answer = await stages.system.admin.write('POST', '/admin/realms', { name })
      expect([201, 409], answer.text).toContain(answer.status)
    }
  })
})

/** Sent byte by byte: neither dots nor escapes are resolved on the way. */
function rawGet(path: string, cookie: string): Promise<{ status: number; text: string; location: string | undefined }> {
  const { hostname, port } = new URL(stages.system.node.url)
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, headers: { cookie } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          location: response.headers.location,
        }),
      )
    })
    request.on('error', reject)
    request.end()
  })
}

const paths = (realmId: string, system: string) => [
  `/admin/realms/../realms/${system}/users`,
  `/admin/realms/${realmId}/../${system}/users`,
  `/admin/realms/${realmId}/..%2f${system}/users`,
  `/admin/realms/${realmId}%2f..%2f${system}/users`,
  `/admin/realms/%2e%2e/${system}/users`,
  `/admin/realms/${realmId};x=${system}/users`,
  `/admin/realms/${system}%00/users`,
  `/admin/realms/${system}%20/users`,
  `/admin/realms/${system.toUpperCase()}/users`,
  `/admin/realms/${encodeURIComponent(system.replace('a', '\u0430'))}/users`,
  `/admin/realms//${system}/users`,
  `//admin/realms/${system}/users`,
  `/admin//realms/${system}/users`,
  `/admin/realms/${system}/users/`,
  `/admin/realms/${system}/./users`,
  `/ADMIN/realms/${system}/users`,
  `/admin/realms/%6daster%2fusers`,
  `/admin/realms/${realmId}/users/..%2f..%2f${system}%2fusers`,
  `/realms/../admin/realms/${system}/users`,
  `/realms/${realmId}/../../admin/realms/${system}/users`,
  `/realms/${realmId}/login/..;/${system}/login`,
  `/${system}/admin/realms`,
]

test('S5: no way of writing a path leads an administrator of one realm into another', async () => {
  const { realm, system } = stages
  const cookie = [...realm.admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const path of paths(realm.realmId, system.realmId)) {
    const answer = await rawGet(path, cookie)
    expect([400, 401, 404], `${path}: ${answer.text.slice(0, 200)}`).toContain(answer.status)
    expect(answer.location).toBeUndefined()
    expect(answer.text).not.toContain(system.adminId)
  }
})

test('S5: an escaped letter is the same letter, and no other door', async () => {
  const { system } = stages
  const cookie = [...system.admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const escaped = [...system.realmId].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
  expect((await rawGet(`/admin/realms/${escaped}/users`, cookie)).status).toBe(200)
  expect((await rawGet(`/admin/realms/${escaped}/users`, '')).status).toBe(401)
})

test('S5: reserved names are no realms in any path', async () => {
  const cookie = [...stages.system.admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const name of [...reserved, '..', '%2e%2e', '__proto__', 'constructor']) {
    for (const path of [`/admin/realms/${name}/users`, `/realms/${name}/login`, `/console/${name}/`]) {
      expect((await rawGet(path, cookie)).status, path).toBe(404)
    }
  }
})
