import type { FastifyRequest } from 'fastify'
import { isOwnForm, staleForm } from '../../domain/sessions/index.ts'
import type { Visit } from './visit.ts'

export type Form = Record<string, string | undefined>

/** Form and JSON bodies alike; only text members count. */
export function readForm(request: FastifyRequest): Form {
  const body = request.body
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {}
  const entries = Object.entries(body).map(([name, value]) => [
    name,
    typeof value === 'boolean' ? String(value) : name === 'assertion' && value ? asText(value) : value,
  ])
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string')) as Form
}

/** Programs may send what an authenticator answered as the object it is. */
const asText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : value)

/** True when the form is not from our page in this browser (S38). */
export function isForeignForm({ services, request, browser }: Visit, form: Form): boolean {
  const header = request.headers['x-xsrf-token']
  const sent = form._csrf ?? (typeof header === 'string' ? header : undefined)
  return !isOwnForm(services, request, browser.csrf, sent)
}

export function refuseForeignForm(visit: Visit, form: Form): void {
  if (isForeignForm(visit, form)) throw staleForm()
}
