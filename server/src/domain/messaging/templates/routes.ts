import { z } from 'zod'
import { type AnyAdminRoute, adminRoute } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import { MessageTemplate, MessageTemplateInput, Preview, PreviewInput } from './schema.ts'
import { deleteTemplate, listTemplates, loadTemplate, previewTemplate, upsertTemplate } from './service.ts'

const permission = { anyOf: ['manage-realm'] } as const

const exampleBody = {
  templateKey: 'otp-email',
  channel: 'EMAIL',
  subject: 'Your code for {{realm}}',
  body: 'Hello {{user}},\n\nYour code:\n\n{{code}}\n\nIt is valid for {{ttl}} minutes.',
}

async function exampleTemplate(ctx: Context): Promise<Record<string, string>> {
  return { id: (await upsertTemplate(ctx, MessageTemplateInput.parse(exampleBody))).template.id }
}

export const templateRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/messaging/templates',
    permission,
    summary: 'List message templates',
    description: 'The template in use for every key, and those the realm wrote for single languages; not paged.',
    response: { 200: z.array(MessageTemplate) },
    example: {},
    async handle(ctx) {
      return { status: 200, body: await listTemplates(ctx) }
    },
  }),
  adminRoute({
    method: 'PUT',
    path: '/messaging/templates',
    permission,
    summary: 'Change a message template',
    description:
      'Creates or replaces the text of the key and language; without a language it is for all that have none of their own. Placeholders: {{realm}} {{code}} {{ttl}} {{user}} {{link}} {{time}} {{user.<attribute>}}.',
    body: MessageTemplateInput,
    response: { 200: MessageTemplate },
    errors: ['limit_reached'],
    example: { body: exampleBody },
    async handle(ctx, { body }) {
      const { template, version } = await upsertTemplate(ctx, body)
      return { status: 200, body: template, version }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/messaging/templates/{id}',
    permission,
    summary: 'Go back to the built-in text of a template',
    response: { 204: null },
    load: (ctx, params, forUpdate) => loadTemplate(ctx, params.id, forUpdate),
    example: { fixture: exampleTemplate },
    async handle(ctx, { loaded }) {
      await deleteTemplate(ctx, loaded.record)
      return { status: 204 }
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/messaging/templates/preview',
    permission,
    summary: 'Preview a message template',
    description: 'Nothing is sent. 404 for a key that does not exist.',
    body: PreviewInput,
    response: { 200: Preview },
    example: { body: { templateKey: 'otp-email', sample: { user: 'Ada', code: '123456', ttl: '5' } } },
    async handle(ctx, { body }) {
      return { status: 200, body: await previewTemplate(ctx, body), changes: { templateKey: body.templateKey } }
    },
  }),
]
