// `npm run fuzz -- [NAME…] [--seconds N | --count N] [--seed N]`: feeds everything that strangers reach, and writes docs/reliability.md.
import { spawnSync } from 'node:child_process'
import { root, setUp } from './setup.js'

await setUp()
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vite-node/vite-node.mjs',
    '-c',
    'test/fuzz/vite.config.ts',
    'test/fuzz/run.ts',
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
)
process.exit(status ?? 1)
