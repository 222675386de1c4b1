// `npm run chaos [WORDS…]`: breaks a running service in every way that we know, and writes what came of it to docs/reliability.md.
import { spawnSync } from 'node:child_process'
import { root, setUp } from './setup.js'

await setUp()
const args = ['node_modules/vite-node/vite-node.mjs', 'test/chaos/run.ts', ...process.argv.slice(2)]
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
