// `npm run fuzz [SECONDS] [SEED]`: feeds mutated sessions to the protocol servers for as long as you like.
import { spawnSync } from 'node:child_process'
import { root, setUp } from './setup.js'

await setUp()
const args = ['node_modules/vite-node/vite-node.mjs', 'test/fuzz/run.ts', ...process.argv.slice(2)]
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
