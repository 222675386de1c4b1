// `npm run bench [NAME…]`: measures the built service and writes docs/benchmarks.md.
import { spawnSync } from 'node:child_process'
import { root, setUp } from './setup.js'

await setUp()
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vite-node/vite-node.mjs', '--options.deps.external=/dist/', 'bench/run.ts', ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
  },
)
process.exit(status ?? 1)
