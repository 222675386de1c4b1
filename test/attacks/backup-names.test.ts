/**
 * A backup that somebody made up names files: `aerie restore` wrote the settings to whatever name stood in it, over the database
 * too, and rows could name files anywhere on the machine, which were then served as recordings or deleted by retention.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation } from '../support/installation.ts'
import { createInstallation } from '../support/service.ts'

type Line = Record<string, unknown> & { files?: Record<string, string>; table?: string }

const clip = new URL('../../assets/demo/people-walking.mp4', import.meta.url)

let installation: Installation
let genuine: Line[]
let backup: string
beforeAll(async () => {
  installation = createInstallation()
  const service = await installation.start()
  const form = new FormData()
  form.append('file', new Blob([readFileSync(clip)]), 'flight.mp4')
  const headers = { api_key: installation.masterKey }
  expect((await fetch(`${service.url}/video`, { method: 'POST', headers, body: form })).status).toBe(201)
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

/** The backup, but that the uploaded video is said to be this file. */
function withVideoAt(file: string): Line[] {
  return genuine.map((line) =>
    line.table === 'source' ? { ...line, row: { ...(line['row'] as object), file } } : line,
  )
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

test.each(['../master.key', '/etc/passwd', 'a/../../../etc/passwd', '..', 'a\u0000b', ''])(
  'a row that names the file %j is refused, and nothing is restored',
  async (file) => {
    makeUp(withVideoAt(file))
    await expect(restore()).rejects.toThrow(/damaged.*nothing was restored/s)
  },
)

test.each([
  ['source', 'id', '../../etc'],
  ['source', 'account_id', '..'],
  ['source', 'input_url', 'a/../../b.mp4'],
])('a row of %s whose %s is %s is refused too: files are called after it', async (table, column, value) => {
  makeUp(
    genuine.map((line) =>
      line.table === table ? { ...line, row: { ...(line['row'] as object), [column]: value } } : line,
    ),
  )
  await expect(restore()).rejects.toThrow(/damaged.*nothing was restored/s)
})

test('a row that fits into no table costs nothing of what is there, and leaves nothing behind', async () => {
  const [header, ...rest] = genuine as [Line, ...Line[]]
  const files = { 'master.key': 'ak_made_up', 'config.yml': 'AERIE_LOG_LEVEL: warn' }
  makeUp([
    { ...header, files },
    ...rest.map((line) => (line.table === 'source' ? { ...line, row: { id: '1', colour: 'red' } } : line)),
  ])
  const contents = () => readdirSync(installation.dataDir).sort()
  const before = [contents(), installation.masterKey]
  await expect(restore()).rejects.toThrow(/does not fit into the table source; nothing was restored/)
  expect([contents(), installation.masterKey]).toEqual(before)
})

test('a few kilobytes that unpack to one endless line are refused before they fill the memory', async () => {
  writeFileSync(backup, gzipSync(Buffer.alloc(64 << 20, ' ')))
  await expect(restore()).rejects.toThrow(/line 1 has more than \d+ bytes.*nothing was restored/s)
})

test('what a backup of our own names comes back', async () => {
  makeUp(genuine)
  await restore()
})

test('more files than there can be are refused', async () => {
  const [header, ...rest] = genuine as [Line, ...Line[]]
  makeUp([{ ...header, files: { ...header.files, 'one.yml': '', 'two.yml': '' } }, ...rest])
  await expect(restore()).rejects.toThrow('is not a backup of Aerie')
})
