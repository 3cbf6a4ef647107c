import { type Config, ConfigError, loadConfig, readEnvWithFile } from '../platform/config/index.ts'
import { runAuditAid } from './audit-aid/index.ts'
import { runTokenAid } from './token-aid/index.ts'

const usage = `gatehouse <command>

  serve                    run the service (and its background jobs)
  migrate [--dry-run]      bring the database schema up to date; --dry-run prints the SQL and changes nothing
  migrate --distribute     distribute the tenant tables by realm on a server that has the Citus extension
  bootstrap                create the system realm on an empty database and exit
  describe openapi|endpoints|configuration
                           print the API description (JSON), the list of endpoints or the variables (Markdown)
  reseal                   seal every stored secret with the first master key, so that older ones can be taken away
  token inspect|explain|request
                           look at a token, say why a request was refused, get a token; needs no configuration
  audit verify <file…>     check exports of the audit trail; needs no configuration
  doctor                   check configuration, database, roles and optional parts, and say what to mend

Configuration is by environment variables; see docs/operate/configuration.md.
`

// Commands load what they need when they run: the whole server takes a second, which nobody waits for to look at a token.
const print = (line: string) => process.stdout.write(`${line}\n`)

async function runMigrate(config: Config, args: string[]): Promise<number> {
  const { distribute } = await import('../platform/db/distribute.ts')
  const { migrate } = await import('../platform/db/migrate.ts')
  if (args.includes('--distribute'))
    return (await distribute({ adminUrl: config.databaseAdminUrl, log: print })).exitCode
  const dryRun = args.includes('--dry-run')
  const appRole = new URL(config.databaseUrl).username || null
  const { applied, pending } = await migrate({ adminUrl: config.databaseAdminUrl, appRole, dryRun, log: print })
  print(dryRun ? `${pending.length} to apply` : `${applied.length} applied`)
  return 0
}

async function runBootstrap(config: Config): Promise<number> {
  await runMigrate(config, [])
  const { createLog } = await import('../platform/log/index.ts')
  const { startServices } = await import('./services.ts')
  const running = await startServices({ ...config, worker: false }, { log: createLog({ level: 'warn' }) })
  const { bootstrapped } = running
  await running.stop()
  if (!bootstrapped) print('There is a realm already; nothing was done.')
  else
    print(
      `Realm ${bootstrapped.realmId} created${bootstrapped.generatedPassword ? `, password ${bootstrapped.generatedPassword}` : ''}.`,
    )
  return 0
}

async function runDescribe(config: Config, what: string | undefined): Promise<number> {
  const { readDescription, renderConfiguration, renderEndpoints } = await import('./describe.ts')
  if (what === 'openapi') process.stdout.write(`${JSON.stringify(await readDescription(config), null, 2)}\n`)
  else if (what === 'endpoints') process.stdout.write(renderEndpoints(await readDescription(config)))
  else if (what === 'configuration') process.stdout.write(renderConfiguration())
  else {
    process.stdout.write(usage)
    return 2
  }
  return 0
}

export async function runCli(args: string[]): Promise<number> {
  const [command = 'help', ...rest] = args
  const commands: Record<string, (config: Config) => Promise<number>> = {
    serve: async (config) => (await import('./serve.ts')).serve(config),
    migrate: (config) => runMigrate(config, rest),
    bootstrap: (config) => runBootstrap(config),
    describe: (config) => runDescribe(config, rest[0]),
    reseal: async (config) => (await import('./reseal.ts')).runReseal(config, print),
    doctor: async (config) => (await import('./doctor.ts')).runDoctor(config, print),
  }
  if (command === 'token') return runTokenAid(rest)
  if (command === 'audit') return runAuditAid(rest)
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined
  if (!run) {
    process.stdout.write(usage)
    return command === 'help' || command === '--help' ? 0 : 2
  }
  try {
    return await run(loadConfig(readEnvWithFile(process.env)))
  } catch (error) {
    process.stderr.write(
      error instanceof ConfigError ? `${error.message}\n` : `gatehouse ${command}: ${(error as Error).message}\n`,
    )
    return 1
  }
}
