#!/usr/bin/env node
import { runCli } from '../dist/app/cli.js'

const code = await runCli(process.argv.slice(2))
// What was written to a pipe must have left before the process does.
process.stdout.write('', () => process.exit(code))
