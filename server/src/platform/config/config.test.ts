import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync, chmodSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError, configVariables, type Env, loadConfig, parseEnvFile, readEnvWithFile } from './index.ts'

const databaseUrl = 'postgresql://app:dbsecret@127.0.0.1:5432/gatehouse'
const key = (fill: string): string => Buffer.from(fill.padEnd(32, 'x').slice(0, 32)).toString('base64')
let directory = ''

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-config-'))
})
afterEach(() => {
  rmSync(directory, { recursive: true })
})

const load = (env: Env) => loadConfig({ GATEHOUSE_DATABASE_URL: databaseUrl, ...env }, { directory })

function faultsOf(env: Env): string[] {
  try {
    loadConfig(env, { directory })
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

describe('loading the configuration', () => {
  test('needs nothing but a database in development', () => {
    expect(load({})).toMatchObject({
      baseUrl: 'http://127.0.0.1:8080',
      secure: false,
      host: '127.0.0.1',
      port: 8080,
      monitoringPort: null,
      databaseUrl,
      databaseAdminUrl: databaseUrl,
      databasePrepared: true,
      poolSize: 10,
      redisUrl: null,
      bootstrap: { realm: 'master', adminUsername: 'admin', adminPassword: null },
      trustedProxies: [],
      migrate: 'auto',
      worker: true,
      processes: 1,
      egressAllow: [],
      breachDir: null,
      breachUrl: null,
      metricsMaxRealms: 1000,
      audit: { httpUrl: null, httpToken: null, timeoutMs: null },
      docsRequireSession: false,
      logLevel: 'info',
      snapshotBytes: 67_108_864,
      hashConcurrency: availableParallelism(),
      shutdownGraceMs: 20_000,
      drainMs: 0,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      commit: 'unknown',
      buildTime: 'unknown',
    })
  })

  test('lists every fault at once and says what to do', () => {
    const faults = faultsOf({
      GATEHOUSE_BASE_URL: 'ftp://x',
      GATEHOUSE_PORT: '70000',
      GATEHOUSE_MIGRATE: 'never',
      GATEHOUSE_WORKER: 'yes',
      GATEHOUSE_TRUSTED_PROXIES: '10.0.0.0/8, 0.0.0.0/0, nonsense, 10.0.0.0/33',
      GATEHOUSE_EGRESS_ALLOW: '::::',
      GATEHOUSE_DATBASE_POOL: '3',
    })
    for (const name of ['BASE_URL', 'PORT', 'MIGRATE', 'WORKER', 'DATABASE_URL', 'EGRESS_ALLOW']) {
      expect(faults.filter((fault) => fault.startsWith(`GATEHOUSE_${name} `))).toHaveLength(1)
    }
    expect(faults.filter((fault) => fault.startsWith('GATEHOUSE_TRUSTED_PROXIES'))).toHaveLength(3)
    expect(faults).toHaveLength(10)
    expect(faults.every((fault) => /: .{5,}/.test(fault))).toBe(true)
    expect(faults.join('\n')).toContain('did you mean GATEHOUSE_DATABASE_POOL?')
    expect(readdirSync(directory)).toEqual([])
  })

  test('hints at the _FILE form of a misspelt variable', () => {
    const [fault] = faultsOf({ GATEHOUSE_DATABASE_URL: databaseUrl, GATEHOUSE_MASTER_KEY_FILE: '/x' })
    expect(fault).toContain('did you mean GATEHOUSE_MASTER_KEYS_FILE?')
  })

  test('never repeats a secret in a fault', () => {
    const faults = faultsOf({
      GATEHOUSE_DATABASE_URL: 'mysql://u:canary-secret@x/y',
      GATEHOUSE_REDIS_URL: 'http://:canary-secret@x',
      GATEHOUSE_MASTER_KEYS: 'k1:canary-secret',
    })
    expect(faults).toHaveLength(3)
    expect(faults.join('\n')).not.toContain('canary-secret')
  })

  test('takes every variable from a file as well', () => {
    const path = join(directory, 'value')
    writeFileSync(path, `${databaseUrl}\n`)
    expect(loadConfig({ GATEHOUSE_DATABASE_URL_FILE: path }, { directory }).databaseUrl).toBe(databaseUrl)
    for (const { name } of configVariables) {
      const [fault] = faultsOf({ GATEHOUSE_DATABASE_URL: databaseUrl, [`${name}_FILE`]: join(directory, 'absent') })
      expect(fault).toMatch(name === 'GATEHOUSE_DATABASE_URL' ? /both set/ : /cannot be read .*ENOENT/)
    }
  })

  test('refuses an endless or empty value file', () => {
    writeFileSync(join(directory, 'empty'), '\n')
    expect(faultsOf({ GATEHOUSE_DATABASE_URL_FILE: join(directory, 'empty') })[0]).toContain('empty file')
    expect(faultsOf({ GATEHOUSE_DATABASE_URL_FILE: '/dev/zero' })[0]).toContain('over 64 KiB')
  })

  test('counts an empty value as unset', () => {
    expect(load({ GATEHOUSE_REDIS_URL: '', GATEHOUSE_PORT: ' ' })).toMatchObject({ redisUrl: null, port: 8080 })
  })

  test('takes the base URL without trailing slash and refuses paths and credentials', () => {
    const env = { GATEHOUSE_MASTER_KEYS: `k1:${key('a')}` }
    expect(load({ ...env, GATEHOUSE_BASE_URL: 'https://id.example.com/' })).toMatchObject({
      baseUrl: 'https://id.example.com',
      secure: true,
    })
    expect(() => load({ ...env, GATEHOUSE_BASE_URL: 'https://id.example.com/auth' })).toThrow(/scheme, host and port/)
    expect(() => load({ ...env, GATEHOUSE_BASE_URL: 'https://me:pw@id.example.com' })).toThrow(/scheme, host and port/)
  })

  test('takes as many processes as there are cores when asked for auto', () => {
    expect(load({ GATEHOUSE_PROCESSES: 'auto' }).processes).toBe(availableParallelism())
    expect(() => load({ GATEHOUSE_PROCESSES: '0' })).toThrow(/GATEHOUSE_PROCESSES/)
  })

  test('drains five seconds in production', () => {
    expect(load({ NODE_ENV: 'production', GATEHOUSE_MASTER_KEYS: `k1:${key('a')}` }).drainMs).toBe(5000)
  })

  test('refuses a monitoring port that is the port of the service', () => {
    expect(() => load({ GATEHOUSE_MONITORING_PORT: '8080' })).toThrow(/another port/)
  })
})

describe('master keys', () => {
  test('are parsed in order, the first one encrypting', () => {
    const keys = load({ GATEHOUSE_MASTER_KEYS: `new:${key('a')}, old:${key('b')}` }).masterKeys
    expect(keys.map((entry) => entry.id)).toEqual(['new', 'old'])
    expect(keys[0]?.key).toHaveLength(32)
  })

  test('are required with https and in production', () => {
    expect(() => load({ GATEHOUSE_BASE_URL: 'https://id.example.com' })).toThrow(/GATEHOUSE_MASTER_KEYS is required/)
    expect(() => load({ NODE_ENV: 'production' })).toThrow(/GATEHOUSE_MASTER_KEYS is required/)
    expect(readdirSync(directory)).toEqual([])
  })

  test('are refused when short, doubled, nameless or a placeholder', () => {
    const zeros = Buffer.alloc(32).toString('base64')
    for (const text of ['k1:QUJD', key('a'), `k1:${key('a')},k1:${key('b')}`, `k1:${zeros}`, `k1:${key('a')},`]) {
      expect(() => load({ GATEHOUSE_MASTER_KEYS: text })).toThrow(ConfigError)
    }
  })

  test('are made once in a private file for development', () => {
    const first = load({}).masterKeys
    const path = join(directory, '.gatehouse', 'master-keys')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(load({}).masterKeys).toEqual(first)
    expect(readFileSync(path, 'utf8').trim()).toBe(`k1:${first[0]?.key.toString('base64')}`)
    chmodSync(path, 0o644)
    expect(() => load({})).toThrow(/chmod 600/)
  })

  test('are the same for processes that start at the same moment', async () => {
    const module = new URL('./master-keys.ts', import.meta.url).href
    const script = `import { loadOrCreateMasterKeys } from ${JSON.stringify(module)}
      console.log(loadOrCreateMasterKeys(process.argv[1])[0].key.toString('hex'))`
    const printed = await Promise.all(Array.from({ length: 4 }, () => runScript(script, directory)))
    expect(printed[0]).toMatch(/^[0-9a-f]{64}\n$/)
    expect(new Set(printed).size).toBe(1)
    expect(readdirSync(join(directory, '.gatehouse'))).toEqual(['master-keys'])
  })
})

describe('the .env file', () => {
  test('gives names, quotes and comments their usual meaning', () => {
    const content = '# c\nA=1\nexport B = "two # \\"x\\"" # c\r\nC=\'th$ree\' # c\nD=p#w\nE=x # c\nbad line\nF=\n'
    expect(parseEnvFile(content)).toEqual({ A: '1', B: 'two # "x"', C: 'th$ree', D: 'p#w', E: 'x', F: '' })
  })

  test('yields to the environment and is not read in production', () => {
    writeFileSync(join(directory, '.env'), 'A=file\nB=file\n')
    expect(readEnvWithFile({ A: 'env' }, directory)).toEqual({ A: 'env', B: 'file' })
    const production = { NODE_ENV: 'production' }
    expect(readEnvWithFile(production, directory)).toEqual(production)
    expect(readEnvWithFile({ A: 'env' }, join(directory, 'absent'))).toEqual({ A: 'env' })
  })
})

function runScript(script: string, argument: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, argument])
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', reject)
    child.on('close', () => resolve(output))
  })
}
