// The description of the API: OpenAPI 3.1 from the running server, interactive pages for it, and a page for each error code.
// Specification part 9, contract 7.1, 9.3.
// Mounted by app/build-app before the surfaces, so that it sees every route.
import fastifySwagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import { sessionCookieName } from '../../domain/sessions/index.ts'
import { registerErrorPages } from './error-pages.ts'
import { finishDocument, type OpenApiDocument } from './finish-document.ts'
import { registerInteractiveDocs } from './interactive-docs.ts'
import { createSchemaTransform } from './json-schema.ts'

export async function registerDescription(app: FastifyInstance, services: Services): Promise<void> {
  const { config } = services
  const { components, transform } = createSchemaTransform()
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Gatehouse',
        version: config.version,
        description:
          'Identity and access management: the admin and protocol interface. Errors are explained at `/errors/{code}`.',
        license: { name: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: sessionCookieName(config.secure, '{realm}') },
          csrf: { type: 'apiKey', in: 'header', name: 'X-XSRF-TOKEN' },
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        },
      },
    },
    // The shapes of Fastify's own schema types say nothing about Zod.
    transform: transform as never,
    transformObject: (document) => {
      const { openapiObject } = document as unknown as { openapiObject: OpenApiDocument }
      return finishDocument(openapiObject, components) as never
    },
  })
  registerErrorPages(app)
  await registerInteractiveDocs(app, services)
}
