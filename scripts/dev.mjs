// `npm run dev`: the service on this machine with one command. Starts PostgreSQL and Redis when none is given by
// GATEHOUSE_DATABASE_URL, builds, migrates, makes a demo realm, and prints where to go. Ctrl-C ends all of it.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { seedDemoRealm } from './seed-demo.mjs'
import { readServices, startServices, stopServices } from './services.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
process.env.PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)

// The build takes a few seconds, the first migration one more; a machine under load gets the benefit of the doubt.
const readyTimeoutMs = 60_000

/** Made once and kept, so that the login printed at every start is the right one. */
function readAdminPassword() {
  const file = join(root, '.gatehouse', 'dev-admin-password')
  mkdirSync(join(root, '.gatehouse'), { recursive: true, mode: 0o700 })
  if (!existsSync(file)) writeFileSync(file, randomBytes(12).toString('base64url'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}

/** Two roles as in production: the serving one cannot change tables or audit events. @param {string} adminUrl */
async function prepareDatabase(adminUrl) {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  const missing = async (/** @type {string} */ text) => (await client.query(text)).rowCount === 0
  for (const role of ['gatehouse_owner', 'gatehouse_app']) {
    if (await missing(`select 1 from pg_roles where rolname = '${role}'`))
      await client.query(`create role ${role} login`)
  }
  if (await missing(`select 1 from pg_database where datname = 'gatehouse'`)) {
    await client.query('create database gatehouse owner gatehouse_owner')
  }
  await client.end()
  const urlFor = (/** @type {string} */ user) =>
    Object.assign(new URL(adminUrl), { username: user, pathname: '/gatehouse' }).href
  return { GATEHOUSE_DATABASE_URL: urlFor('gatehouse_app'), GATEHOUSE_DATABASE_ADMIN_URL: urlFor('gatehouse_owner') }
}

/** @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
const start = (command, args, env = process.env) => spawn(command, args, { cwd: root, stdio: 'inherit', env })
/** @param {import('node:child_process').ChildProcess} child @returns {Promise<number>} */
const ending = (child) => new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))

/** @param {string} baseUrl @param {() => boolean} isOver */
async function waitUntilReady(baseUrl, isOver) {
  for (const end = Date.now() + readyTimeoutMs; Date.now() < end && !isOver(); await delay(100)) {
    const answer = await fetch(`${baseUrl}/monitoring/health/readiness`).catch(() => null)
    if (answer?.ok) return true
  }
  return false
}

async function main() {
  if ((await ending(start('npm', ['run', '--silent', 'build']))) !== 0) return 1
  const given = process.env.GATEHOUSE_DATABASE_URL !== undefined
  const startedHere = !given && !readServices()
  const services = given ? null : await startServices()
  const env = {
    ...(services ? { ...(await prepareDatabase(services.postgres.url)), GATEHOUSE_REDIS_URL: services.redis.url } : {}),
    GATEHOUSE_BOOTSTRAP_ADMIN_PASSWORD: readAdminPassword(),
    // On another port the links follow, unless somebody says otherwise.
    GATEHOUSE_BASE_URL: `http://127.0.0.1:${process.env.GATEHOUSE_PORT ?? 8080}`,
    ...process.env,
  }
  const baseUrl = env.GATEHOUSE_BASE_URL
  const password = env.GATEHOUSE_BOOTSTRAP_ADMIN_PASSWORD
  const server = start('node', ['server/bin/gatehouse.js', 'serve'], env)
  // The terminal sends Ctrl-C to the server as well; this process waits for it and then stops the databases.
  for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => signal === 'SIGTERM' && server.kill(signal))
  }
  let over = false
  const end = ending(server).finally(() => (over = true))
  if (await waitUntilReady(baseUrl, () => over)) {
    const seeded = await seedDemoRealm({ baseUrl, password }).catch((/** @type {Error} */ error) => error)
    if (seeded instanceof Error) console.error(`The demo realm could not be made: ${seeded.message}`)
    console.log(`
  Gatehouse is running.
    Demo realm      ${baseUrl}/realms/demo/login
    System realm    ${baseUrl}/realms/master/login
    API             ${baseUrl}/interactive-docs.html?realm=demo
    Administrator   admin  ${password}   (of both realms)
`)
  }
  const code = await end
  if (startedHere) await stopServices()
  return code
}

process.exitCode = await main()
