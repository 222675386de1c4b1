/** The next version of this service, built from the same sources in a folder of its own. */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

export interface OtherVersion {
  /** To be given to `createInstallation`. */
  readonly program: string
  readonly version: string
  remove(): void
}

/** `migration`: the name of one more, which adds a table. */
export async function buildNewerVersion(version: string, migration?: string): Promise<OtherVersion> {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-newer-'))
  for (const name of ['bin', 'src', 'scripts', 'package.json']) cpSync(join(root, name), join(folder, name), { recursive: true }) // prettier-ignore
  for (const name of ['node_modules', 'assets', 'models', 'player', 'console', 'docs', 'LICENSE', 'NOTICE'])
    symlinkSync(join(root, name), join(folder, name))
  const described = join(folder, 'package.json')
  writeFileSync(described, JSON.stringify({ ...(JSON.parse(readFileSync(described, 'utf8')) as object), version }))
  if (migration !== undefined) addMigration(join(folder, 'src/storage/migrations'), migration)
  await run(process.execPath, [join(folder, 'scripts/build.js')], { cwd: folder })
  return {
    program: join(folder, 'bin/aerie.js'),
    version,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function addMigration(folder: string, name: string): void {
  const lines = [
    "import { type Kysely } from 'kysely'",
    'export async function up(db: Kysely<unknown>): Promise<void> {',
    "  await db.schema.createTable('of_the_next_version').addColumn('id', 'text').execute()",
    '}',
  ]
  writeFileSync(join(folder, `${name}.ts`), lines.join('\n'))
  const list = join(folder, 'all.ts')
  const text = readFileSync(list, 'utf8')
  const end = text.lastIndexOf('}')
  const added = `import { up as newest } from './${name}.ts'\n${text.slice(0, end)}  '${name}': { up: newest },\n${text.slice(end)}`
  writeFileSync(list, added)
}
