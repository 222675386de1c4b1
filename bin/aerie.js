#!/usr/bin/env node
import { existsSync } from 'node:fs'

const program = process.argv[2] === 'serve' ? 'cli/serve-program.js' : 'cli.js'
const built = new URL(`../dist/${program}`, import.meta.url)
if (!existsSync(built)) {
  process.stderr.write('aerie: not built yet; run `npm start` once, or `npm ci && npm run build`.\n')
  process.exit(1)
}
await import(built.href)
