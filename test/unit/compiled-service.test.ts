import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** In a process of its own: tests change flags of V8, with which it takes nothing that was compiled without them. */
const check = `
  const { readFileSync } = await import('node:fs')
  const { toScript } = await import('./scripts/run-compiled.js')
  const file = 'dist/cli/serve-program.cjs'
  const compiled = readFileSync(file + '.cache')
  console.log(toScript(file, compiled).cachedDataRejected, toScript(file, compiled.subarray(1)).cachedDataRejected)
`

test('what the build compiled of the service is taken by the Node that runs it, and nothing else is', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', check])
  expect(stdout.trim()).toBe('false true')
})
