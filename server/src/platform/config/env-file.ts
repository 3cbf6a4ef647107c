// A small `.env` reader for development: NAME=value lines, comments, single or double quotes. No expansion, no multi-line values.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Env } from './settings-reader.ts'

export function parseEnvFile(content: string): Record<string, string> {
  const values: Record<string, string> = {}
  for (const line of content.split(/\r?\n/)) {
    const [, name, rest] = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(line) ?? []
    if (name === undefined || rest === undefined) continue
    values[name] = unquote(rest.trim())
  }
  return values
}

function unquote(text: string): string {
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(text) ?? []
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char))
  if (text.startsWith("'")) {
    const end = text.indexOf("'", 1)
    if (end > 0) return text.slice(1, end)
  }
  // A comment needs a blank before it, so that a # inside a password or URL stays.
  return text.replace(/\s+#.*$/, '').replace(/^#.*$/, '')
}

// What the environment already says wins over the file. In production the file is not read at all: a forgotten `.env` in an
// image must not decide anything there.
export function readEnvWithFile(env: Env, directory: string = process.cwd()): Env {
  if (env.NODE_ENV === 'production') return env
  try {
    return { ...parseEnvFile(readFileSync(join(directory, '.env'), 'utf8')), ...env }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return env
    throw error
  }
}
