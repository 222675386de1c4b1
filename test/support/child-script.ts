import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'

/** Goes when its parent asks it to. */
export const LEAVES_WHEN_ASKED = 'process.on("disconnect", () => process.exit());'

/** A script that a test starts as a child process; removed with the test. */
export function writeChildScript(code: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-child-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = join(folder, 'entry.mjs')
  writeFileSync(script, code)
  return pathToFileURL(script)
}
