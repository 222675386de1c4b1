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

/** The media server as one file that Node runs, made of the source as it is: for tests that start its process. */
export async function buildMediaServer(): Promise<BuiltProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-media-server-'))
  const outfile = join(folder, 'media-server.mjs')
  await build({
    entryPoints: [join(root, 'src/media/media-server.ts')],
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
