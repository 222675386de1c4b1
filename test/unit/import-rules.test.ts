/** The import rules bite: each forbidden import, planted for a moment, is found by the same tool that `npm run check` runs. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, expect, test } from 'vitest'

const cruiser = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'
const planted: string[] = []
afterEach(() => planted.splice(0).forEach((file) => rmSync(file, { force: true })))

function plant(file: string, imported: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `import * as planted from '${imported}'\nexport const use = planted\n`)
  planted.push(file)
}

test.each([
  ['src/core/planted.ts', '../storage/schema.ts', 'core-imports-only-what-it-may'],
  ['src/storage/planted.ts', '../accounts/api-key.ts', 'storage-imports-only-what-it-may'],
  ['src/accounts/planted.ts', '../config/config.ts', 'features-never-import-each-other'],
  ['src/accounts/planted.ts', 'fastify', 'fastify-fastify-fastify-type-provider-zod-scalar-stays-at-its-border'],
  ['src/accounts/planted.ts', 'kysely', 'kysely-libsql-pg-pg-cursor-stays-at-its-border'],
  ['src/api/planted.ts', '../accounts/accounts.service.ts', 'api-knows-routes-not-services'],
  ['src/core/planted.ts', 'vitest', 'no-dev-dependency-in-product'],
  ['src/accounts/planted.ts', '../app.ts', 'entry-points-are-imported-by-nobody'],
  ['src/media/rtsp/planted.ts', '../../accounts/api-key.ts', 'media-imports-only-what-it-may'],
])(
  '%s may not import %s',
  (file, imported, rule) => {
    plant(file, imported)
    const { status, stdout } = spawnSync(process.execPath, [cruiser, '--output-type=err', file], { encoding: 'utf8' })
    expect(stdout).toContain(rule)
    expect(status).not.toBe(0)
  },
  30_000,
)
