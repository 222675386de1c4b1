import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface BuiltProgram {
  readonly entry: URL
  remove(): void
}

/** One file that Node runs, made of the source as it is: for tests that start a process of their own. `code` imports as from `src/`. */
export async function buildProgram(code: string): Promise<BuiltProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-program-'))
  const outfile = join(folder, 'program.mjs')
  await build({
    stdin: { contents: code, resolveDir: join(root, 'src'), loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: false } },
    logLevel: 'warning',
  })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return { entry: pathToFileURL(outfile), remove: () => rmSync(folder, { recursive: true }) }
}
