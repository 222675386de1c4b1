// `npm run soak -- [--minutes N] [--seed N]`: uses a service as many do, for as long, and writes what came of it to docs/reliability.md.
import { spawnSync } from 'node:child_process'
import { root, setUp } from './setup.js'

await setUp()
const args = ['node_modules/vite-node/vite-node.mjs', 'test/soak/run.ts', ...process.argv.slice(2)]
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
