#!/usr/bin/env node
import { runCli } from '../dist/app/cli.js'

process.exit(await runCli(process.argv.slice(2)))
