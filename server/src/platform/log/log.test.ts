import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createAuditWriter, createLog } from './index.ts'

function capture() {
  const lines: string[] = []
  return { lines, stream: { write: (line: string) => void lines.push(line) } }
}

function logOne(...args: unknown[]): Record<string, unknown> {
  const { lines, stream } = capture()
  const log = createLog({ level: 'trace', stream })
  ;(log.info as (...all: unknown[]) => void)(...args)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^[^\r\n]*\n$/)
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>
}

describe('application lines', () => {
  test('carry time, kind, level and message', () => {
    expect(logOne({ realm: 'r1' }, 'started')).toEqual({
      ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      kind: 'app',
      level: 'info',
      msg: 'started',
      realm: 'r1',
    })
  })

  test('stay below the level asked for', () => {
    const { lines, stream } = capture()
    const log = createLog({ logLevel: 'warn', stream })
    log.info('hidden')
    log.child({ part: 'x' }).warn('seen')
    expect(lines).toHaveLength(1)
  })

  test('S48 stay one valid JSON line whatever a caller puts in', () => {
    const hostile = 'a\r\n{"kind":"audit"}\n\u001b[2J\u009b31m"},{"x":1}\u2028\u202e\ud800\u0000\\'
    const { lines, stream } = capture()
    const log = createLog({ stream })
    log.info({ userAgent: hostile, [hostile]: hostile }, hostile)
    log.child({ bound: hostile }).error(new Error(hostile))
    for (const line of lines) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there.
      expect(line).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028\u202e]*\n$/)
      expect(JSON.parse(line)).toMatchObject({ kind: 'app' })
    }
    expect((JSON.parse(lines[0] ?? '') as { userAgent: string }).userAgent).toContain('{"kind":"audit"}')
  })

  test('S48 cannot be given another kind, level or time', () => {
    const line = logOne({ kind: 'audit', level: 'fatal', ts: 'never', msg: 'x' }, 'real')
    expect(line).toMatchObject({ kind: 'app', level: 'info', msg: 'real', kind_: 'audit' })
  })

  test('S48 are truncated, in each string and as a whole', () => {
    const huge = '€'.repeat(1024 * 1024)
    const line = logOne({ huge, many: Array.from({ length: 5000 }, () => huge) }, huge)
    expect((line.huge as string).length).toBeLessThan(8300)
    expect(JSON.stringify(line).length).toBeLessThan(120_000)
  })

  test('S48 hide secrets by name, at any depth', () => {
    const line = logOne({
      headers: { Authorization: 'canary', cookie: 'canary', 'set-cookie': ['canary'], 'X-XSRF-TOKEN': 'canary' },
      body: [
        { password: 'canary', newPassword: 'canary', client_secret: 'canary', code: 'canary', id_token: 'canary' },
      ],
      config: { masterKeys: ['canary'], redisUrl: 'canary' },
      secretSet: true,
      username: 'kept',
    })
    expect(JSON.stringify(line)).not.toContain('canary')
    expect(line).toMatchObject({ secretSet: true, username: 'kept' })
  })

  test('S48 hide secrets by shape inside texts', () => {
    const line = logOne(
      { url: '/cb?code=canary&x=1#access_token=canary', err: new Error('postgres://app:canary@db/x') },
      'sent Bearer canary-canary and eyJhbGciOi.canary.canary',
    )
    expect(JSON.stringify(line)).not.toContain('canary')
    expect(line.url).toBe('/cb?code=[redacted]&x=1#access_token=[redacted]')
  })

  test('keep an error with its code, stack and causes', () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    const line = logOne({ err: new Error('no database', { cause }) }, 'failed')
    expect(line.err).toMatchObject({
      type: 'Error',
      message: 'no database',
      stack: expect.stringContaining('log.test'),
      cause: { message: 'refused', code: 'ECONNREFUSED' },
    })
    expect(logOne(new Error('alone'))).toMatchObject({ msg: 'alone', err: { message: 'alone' } })
  })

  test('show requests and replies by method, URL and status only', () => {
    const req = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/x?code=canary' })
    const res = new ServerResponse(req)
    expect(logOne({ req, res, socket: req.socket })).toMatchObject({
      req: { method: 'GET', url: '/x?code=[redacted]' },
      res: { statusCode: 200 },
      socket: '[Socket]',
    })
  })

  test('survive cycles, throwing getters, bigints and deep nesting', () => {
    const cycle: Record<string, unknown> = { big: 5n, date: new Date(Number.NaN), map: new Map([['a', 1]]) }
    cycle.self = cycle
    let deep: unknown = 1
    for (let i = 0; i < 10_000; i++) deep = { deep }
    const line = logOne({
      cycle,
      deep,
      get bad(): string {
        throw new Error('no')
      },
    })
    expect(line).toBeTruthy()
  })
})

describe('audit lines', () => {
  test('hold the members of the event as given', () => {
    const { lines, stream } = capture()
    createAuditWriter(stream)({ kind: 'audit', type: 'LOGIN', code: 'kept', detail: null, nested: { a: [1] } })
    expect(lines).toEqual(['{"kind":"audit","type":"LOGIN","code":"kept","detail":null,"nested":{"a":[1]}}\n'])
  })

  test('S48 stay one valid JSON line and are truncated', () => {
    const { lines, stream } = capture()
    createAuditWriter(stream)({ actor: 'x\r\n\u001b[31m\u009b"}', userAgent: 'a'.repeat(1 << 20) })
    expect(lines[0]).toMatch(/^[^\r\n\u001b\u009b]*\n$/)
    expect(lines[0]?.length).toBeLessThan(9000)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ kind: 'audit', actor: 'x\r\n\u001b[31m\u009b"}' })
  })
})

describe('standard output', () => {
  const script = `
    import { createLog, writeAuditLine, countDroppedLines } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)}
    const log = createLog({ level: 'info' })
    for (let i = 0; i < 2000; i++) { log.info({ i }, 'line'.repeat(50)); writeAuditLine({ i }) }
    process.stderr.write('alive ' + countDroppedLines())`

  test('F19 on a full disk loses lines, not the process', async () => {
    const { code, stderr } = await runScript(script, openSync('/dev/full', 'w'))
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'alive 4000' })
  })

  test('F19 on a broken pipe loses lines, not the process', async () => {
    const { code, stderr } = await runScript(script, 'pipe')
    expect(code).toBe(0)
    expect(stderr).toMatch(/^alive \d+$/)
    expect(Number(stderr.slice(6))).toBeGreaterThan(0)
  })
})

function runScript(script: string, stdout: number | 'pipe'): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', stdout, 'pipe'] })
    child.stdout?.once('data', () => child.stdout?.destroy())
    let stderr = ''
    child.stderr?.on('data', (chunk) => (stderr += chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stderr }))
  })
}
