interface Operation {
  'x-body-example'?: unknown
  requestBody?: { content: Record<string, { examples?: object }> }
  responses?: Record<string, { description: string }>
}

export interface OpenApiDocument {
  paths?: Record<string, Record<string, Operation>>
  components?: { schemas?: object }
}

// What the generator says when a schema is only a reference to a component.
const unsaid = 'Default Response'
const successTexts: Record<string, string> = {
  200: 'Done.',
  201: 'Created; Location is its address.',
  202: 'Accepted; Location is where its progress can be read.',
  204: 'Done; no body.',
}

/** Adds what the generator has no place for: the shared schemas, an example for every body, words for every answer. */
export function finishDocument(document: OpenApiDocument, components: Record<string, unknown>): OpenApiDocument {
  document.components = { ...document.components, schemas: sortByName(components) }
  for (const operation of Object.values(document.paths ?? {}).flatMap((path) => Object.values(path))) {
    const { 'x-body-example': value, requestBody, responses = {} } = operation
    delete operation['x-body-example']
    for (const content of Object.values(requestBody?.content ?? {})) {
      if (value !== undefined) content.examples = { example: { value } }
    }
    for (const [status, response] of Object.entries(responses)) {
      if (response.description === unsaid) response.description = successTexts[status] ?? 'The answer.'
    }
  }
  return document
}

/** The generated file changes only where the API does. */
function sortByName(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}
