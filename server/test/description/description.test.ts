import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { fullPath, expandRoutes } from '../../src/app/admin-surface/index.ts'
import { adminRoutes } from '../../src/app/module-list.ts'
import { api, getNode, type TestNode } from '../harness/index.ts'
import { findOauthError, oauthErrorCodes } from '../../src/platform/errors/oauth/index.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- the document is what is looked at.
let document: any
let node: TestNode
beforeAll(async () => {
  node = await getNode()
  document = (await api(`${node.url}/v3/api-docs`, 'GET')).body
})

describe('the API description', () => {
  it('is OpenAPI 3.1 and has every admin route with summary, permission, errors and success', () => {
    expect(document.openapi).toBe('3.1.0')
    for (const route of expandRoutes(adminRoutes)) {
      const operation = document.paths[fullPath(route)]?.[route.method.toLowerCase()]
      expect(operation, `${route.method} ${fullPath(route)}`).toBeDefined()
      expect(operation.summary).toBe(route.summary)
      expect(operation.description).toContain('Permission:')
      expect(operation['x-permission']).toBeTruthy()
      expect(operation['x-codeSamples'][0].source).toContain('curl')
      for (const status of [...Object.keys(route.response), '401', '403', '404']) {
        expect(operation.responses[status], `${route.method} ${route.path} ${status}`).toBeDefined()
      }
    }
  })

  it('is committed as the server gives it', () => {
    const committed = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
    expect(committed).toEqual(document)
  })

  it('shows a body that works for every operation that takes one', () => {
    for (const route of expandRoutes(adminRoutes)) {
      if (!route.body || route.method === 'PATCH' || route.example.body === undefined) continue
      const operation = document.paths[fullPath(route)][route.method.toLowerCase()]
      const content = Object.values(operation.requestBody.content)[0] as {
        schema: { examples?: unknown[] }
        examples?: object
      }
      expect(JSON.stringify(content), `${route.method} ${route.path}`).toContain(JSON.stringify(route.example.body))
    }
  })

  it('gives each operation an id of its own', () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path as object)
        .map((operation) => operation.operationId)
        .filter(Boolean),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('has no reference that leads nowhere', () => {
    const references = JSON.stringify(document).match(/#\/components\/schemas\/[A-Za-z]+/g) ?? []
    expect(references.length).toBeGreaterThan(50)
    for (const reference of new Set(references)) {
      expect(document.components.schemas[reference.split('/').at(-1)!], reference).toBeDefined()
    }
  })

  it('explains every error code at its address', async () => {
    for (const code of ['key_active', 'csrf_invalid', 'last_admin']) {
      const page = await api(`${node.url}/errors/${code}`, 'GET')
      expect(page.status).toBe(200)
      expect(page.text).toContain(code)
    }
    const index = (await api(`${node.url}/errors`, 'GET')).text
    for (const code of oauthErrorCodes) {
      const page = await api(`${node.url}/errors/${code}`, 'GET')
      expect(page.status).toBe(200)
      expect(page.text).toContain(findOauthError(code)!.title)
      expect(index).toContain(`href="/errors/${code}"`)
    }
    expect((await api(`${node.url}/errors/__proto__`, 'GET')).status).toBe(404)
    expect((await api(`${node.url}/errors`, 'GET')).status).toBe(200)
  })
})
