/**
 * A backup that somebody made up names files: `aerie restore` wrote the settings to whatever name stood in it, over the database
 * too, and rows could name files anywhere on the machine, which were then served as recordings or deleted by retention.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInstallation, type Installation } from '../e2e/service.ts'

type Line = Record<string, unknown> & { files?: Record<string, string>; rows?: number }

let installation: Installation
let genuine: Line[]
let backup: string
beforeAll(async () => {
  installation = createInstallation()
  const service = await installation.start()
  await service.stop()
  backup = join(installation.dataDir, 'made-up.backup')
  await installation.command('backup', backup)
  genuine = gunzipSync(readFileSync(backup))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
})
afterAll(async () => {
  expect((await (await installation.start()).call('GET', '/login')).status).toBe(200)
  await installation.remove()
})

const makeUp = (lines: readonly Line[]) =>
  writeFileSync(backup, gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
const restore = () => installation.command('restore', backup, '--force')

function withRow(table: string, row: Record<string, unknown>): Line[] {
  const rows = genuine.slice(0, -1)
  return [...rows, { table, row }, { rows: rows.length }]
}

test.each(['aerie.db', '../escaped', '/tmp/aerie-escaped', '..', 'config.yml'])(
  'settings that are called %s are laid where all settings are laid',
  async (name) => {
    const [header, ...rest] = genuine as [Line, ...Line[]]
    makeUp([{ ...header, files: { ...header.files, [name]: 'AERIE_LOG_LEVEL: warn' } }, ...rest])
    const before = new Set([...readdirSync(installation.dataDir), 'config.restored.yml'])
    await restore()
    expect(readFileSync(join(installation.dataDir, 'config.restored.yml'), 'utf8')).toBe('AERIE_LOG_LEVEL: warn')
    expect(readdirSync(installation.dataDir).filter((file) => !before.has(file))).toEqual([])
    expect(existsSync(join(installation.dataDir, '..', 'escaped'))).toBe(false)
    expect(existsSync('/tmp/aerie-escaped')).toBe(false)
  },
)

test.each([
  ['source', '../master.key'],
  ['recording_segment', '/etc/passwd'],
  ['recording_segment', 'recordings/../../../../etc/passwd'],
  ['track_picture', '..'],
  ['track_picture', 'a\u0000b'],
])('a row of %s that names %s is refused, and nothing is restored', async (table, file) => {
  makeUp(withRow(table, { id: '0', file }))
  await expect(restore()).rejects.toThrow(/damaged.*nothing was restored/s)
})

test('more files than there can be are refused', async () => {
  const [header, ...rest] = genuine as [Line, ...Line[]]
  makeUp([{ ...header, files: { ...header.files, 'one.yml': '', 'two.yml': '' } }, ...rest])
  await expect(restore()).rejects.toThrow('is not a backup of Aerie')
})
