// `npm run bench:signin [-- --profile]`: only the password sign-ins of `npm run bench:scale`, on a small database. With
// --profile the service writes a CPU profile into the current folder, to be opened in a browser's developer tools.
import { loadScale, scalePassword, shortSizes, systemRealm } from './load/index.ts'
import { connectAdmin } from './measure/client.ts'
import { createReport, loadAverage } from './measure/report.ts'
import { buildIfStale, startBench } from './measure/server.ts'
import { measureSignIns } from './measure/sign-ins.ts'

const sizes = { ...shortSizes, realms: 20, events: 20_000 }
const nodeArguments = process.argv.includes('--profile') ? ['--cpu-prof', `--cpu-prof-dir=${process.cwd()}`] : []

await buildIfStale()
const bench = await startBench()
const report = createReport()
try {
  console.log(`      load average ${loadAverage()}`)
  const database = await bench.createDatabase('many')
  await loadScale({ adminUrl: database.adminUrl, sizes, masterKeys: bench.masterKeys })
  const service = await bench.startService(database, { nodeArguments })
  const admin = await connectAdmin(service.url, systemRealm, scalePassword)
  await measureSignIns(report, { url: service.url, admin, users: sizes.users, phaseMs: 5000, phases: 5 })
  await admin.close()
} finally {
  await bench.stop()
}
process.exitCode = report.lines.every((line) => line.ok) ? 0 : 1
