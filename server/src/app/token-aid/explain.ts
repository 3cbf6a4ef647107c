import { type ErrorCode, errorKinds } from '../../platform/errors/index.ts'
import {
  findOauthError,
  findOauthHint,
  foreignOauthCodes,
  type OauthCause,
  type OauthPlace,
} from '../../platform/errors/oauth/index.ts'
import type { Json } from './decode.ts'
import { UsageError } from './io.ts'

/** An error as somebody met it. */
export interface MetError {
  code: string
  description: string
}

export interface Explanation extends MetError {
  known: boolean
  status: number | null
  title: string
  standard: string | null
  places: OauthPlace[]
  explanation: string
  remedy: string
  /** What the description narrows it down to. */
  likely: OauthCause | null
  causes: OauthCause[]
}

// Codes of errors are words; anything longer was copied by mistake.
const maxCode = 100
const maxDescription = 2000

/** From the address that the browser was sent back to. */
export function readErrorUrl(text: string): MetError {
  const url = URL.parse(text)
  if (!url) throw new UsageError('--url needs the whole address, in quotes')
  const inFragment = new URLSearchParams(url.hash.slice(1))
  const params = url.searchParams.has('error') ? url.searchParams : inFragment
  const code = params.get('error')
  if (!code) throw new UsageError('there is no error= in this address')
  return limit({ code, description: params.get('error_description') ?? '' })
}

/** From the body of an answer, or from its header WWW-Authenticate. */
export function readErrorAnswer(text: string): MetError {
  const body = parseJson(text)
  if (typeof body?.error === 'string') return limit({ code: body.error, description: textOf(body.error_description) })
  // A problem document of the admin API: its type ends with the code.
  const type = textOf(body?.code) || textOf(body?.type).split('/').at(-1)
  if (type) return limit({ code: type, description: textOf(body?.detail) })
  const code = /\berror="([^"]+)"/.exec(text)?.[1]
  if (code) return limit({ code, description: /\berror_description="([^"]*)"/.exec(text)?.[1] ?? '' })
  throw new UsageError('there is no error in what was given: neither JSON with `error`, nor WWW-Authenticate')
}

function limit({ code, description }: MetError): MetError {
  return { code: code.slice(0, maxCode), description: description.slice(0, maxDescription) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function parseJson(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Json) : null
  } catch {
    return null
  }
}

export function explainError(met: MetError): Explanation {
  const oauth = findOauthError(met.code)
  if (oauth) {
    const hint = findOauthHint(met.description)
    const likely = hint && { cause: hint.cause, remedy: hint.remedy }
    return { ...met, ...oauth, known: true, likely }
  }
  const none = { standard: null, places: [], likely: null, causes: [] }
  if (Object.hasOwn(errorKinds, met.code)) {
    const { status, title, explanation, remedy } = errorKinds[met.code as ErrorCode]
    return { ...met, ...none, known: true, status, title, explanation, remedy }
  }
  const standard = Object.hasOwn(foreignOauthCodes, met.code) ? foreignOauthCodes[met.code]! : null
  return {
    ...met,
    ...none,
    standard,
    known: false,
    status: null,
    title: 'Not an error of Gatehouse',
    explanation: standard
      ? 'The standards know this code, but Gatehouse never answers with it.'
      : 'Neither Gatehouse nor the standards it follows have this code.',
    remedy: 'Look which server answered: a proxy, a library, or another issuer.',
  }
}
