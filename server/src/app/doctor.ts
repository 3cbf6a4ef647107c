import { createClient } from 'redis'
import type { Config } from '../platform/config/index.ts'
import { diagnoseDatabase, type Finding } from '../platform/db/diagnose.ts'

/** `gatehouse doctor`: says in plain words what works and what to mend. Changes nothing. */
export async function runDoctor(config: Config, print: (line: string) => void): Promise<number> {
  const findings = [...(await diagnoseDatabase(config)), ...(await checkRedis(config)), ...checkConfig(config)]
  for (const { level, text } of findings) print(`${level.padEnd(5)} ${text}`)
  return findings.some((finding) => finding.level === 'fail') ? 1 : 0
}

async function checkRedis(config: Config): Promise<Finding[]> {
  if (config.redisUrl === null)
    return [{ level: 'ok', text: 'no Redis is configured; rate limits are counted by each process' }]
  const client = createClient({ url: config.redisUrl, socket: { connectTimeout: 2000, reconnectStrategy: false } })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.ping()
    return [{ level: 'ok', text: 'Redis answers' }]
  } catch (error) {
    return [{ level: 'warn', text: `Redis cannot be used, the service runs without it: ${(error as Error).message}` }]
  } finally {
    client.destroy()
  }
}

function checkConfig(config: Config): Finding[] {
  return [
    config.secure
      ? { level: 'ok', text: `base URL ${config.baseUrl}` }
      : {
          level: 'warn',
          text: `base URL ${config.baseUrl} is not https: cookies are not protected by __Host- and Secure`,
        },
    { level: 'ok', text: `${config.masterKeys.length} master key(s), ${config.masterKeys[0]?.id} seals` },
  ]
}
