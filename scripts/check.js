// `npm run check`: types, lint, formatting, import rules, generated files. Runs all of them and names those that fail.
import { spawnSync } from 'node:child_process'
import { root, setUp } from './setup.js'

await setUp()
// TypeScript in native code checks in a fraction of the time; the linter needs the one in JavaScript.
const steps = {
  types: ['typescript-native/bin/tsc', '--noEmit'],
  'types of the console': ['typescript-native/bin/tsc', '--noEmit', '-p', 'console'],
  'types of the player': ['typescript-native/bin/tsc', '--noEmit', '-p', 'player'],
  'types of the client': ['typescript-native/bin/tsc', '--noEmit', '-p', 'clients/typescript'],
  lint: ['eslint/bin/eslint.js', '--max-warnings=0', '.'],
  formatting: ['prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'],
  'import rules': ['dependency-cruiser/bin/dependency-cruise.mjs', '--output-type=err', 'src', 'console/src', 'player'],
}

const failed = Object.entries(steps)
  .filter(([name, [program, ...args]]) => !passes(name, [`node_modules/${program}`, ...args]))
  .map(([name]) => name)
if (!passes('generated files', ['scripts/generate.js', '--check'])) failed.push('generated files')

if (failed.length > 0) console.error(`check failed: ${failed.join(', ')}`)
process.exit(failed.length > 0 ? 1 : 0)

function passes(name, args) {
  const startedAt = Date.now()
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  console.error(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
  return status === 0
}
