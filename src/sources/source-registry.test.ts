import { expect, test } from 'vitest'
import { anAccount } from '../../test/builders/plain-account.ts'
import { aFile, aSource } from '../../test/builders/source.ts'
import { createDeferred } from '../core/deferred.ts'
import { type ChangeSourceOutcome, type InsertSourceOutcome } from './sources.store.ts'
import { createSourceRegistry } from './source-registry.ts'
import { type Source } from './source.ts'

const account = anAccount({ username: 'ann' })
const received = { file: '/in/a', fileName: 'a.mp4', sizeBytes: 7, sha256: 'hash', extension: '.mp4' }
const FILE = `${account.id}/hash.mp4`

/** A store and a folder in memory. */
function createRig(
  refusal?: Exclude<InsertSourceOutcome, object>,
  changeOutcome: ChangeSourceOutcome = 'source-not-found',
) {
  const rows = new Map<string, Source>()
  const files = new Set<string>()
  /** Sources of another node, whose files are on its disk. */
  const elsewhere = new Set<string>()
  const keeping = { gate: Promise.resolve() }
  const registry = createSourceRegistry({
    store: {
      async insertWithinLimits(_account, source) {
        if (refusal) return refusal
        rows.set(source.id, source)
        return { source, isNew: true }
      },
      change: async () => changeOutcome,
      findOutputAt: async () => ({ kind: 'output', accountId: account.id, alias: 'out' }),
      findByContent: async (accountId, sha) =>
        [...rows.values()].find((row) => row.accountId === accountId && row.contentSha256 === sha),
      isFileUsed: async (file) => [...rows.values()].some((row) => row.file === file),
      isFileUsedHere: async (file) => [...rows.values()].some((row) => row.file === file && !elsewhere.has(row.id)),
      remove: async (id) => void rows.delete(id),
    },
    isLive: () => false,
    videos: {
      async keep(_received, file) {
        await keeping.gate
        files.add(file)
      },
      remove: async (file) => void files.delete(file),
      removeHere: async (file) => void files.delete(file),
    },
  })
  return { registry, rows, files, elsewhere, keeping }
}

test.each([
  ['source-limit-reached', '2'],
  ['video-storage-full', '2000'],
  ['path-in-use', 'the output out'],
] as const)('%s names what is in the way', async (refusal, named) => {
  const { registry } = createRig(refusal)
  const message = expect.stringContaining(named)
  await expect(registry.insert(account, aSource())).rejects.toMatchObject({ code: refusal, message })
})

test.each<[string, ChangeSourceOutcome, string]>([
  ['source-not-found', 'source-not-found', 'There is no source s.'],
  ['source-exists', 'source-exists', 'another source'],
  ['source-in-use', 'source-in-use', 'stop it first'],
  ['path-in-use', { takenPath: 'ann/out' }, 'the output out'],
])('a change that ends as %s says what is in the way', async (code, outcome, named) => {
  const { registry } = createRig(undefined, outcome)
  const message = expect.stringContaining(named)
  await expect(registry.change(account, 's', (source) => source)).rejects.toMatchObject({ code, message })
})

test('a file that is refused is removed, unless another source has it', async () => {
  const { registry, rows, files } = createRig('video-storage-full')
  await expect(registry.insertFile(account, received, aFile(account.id, '', 7))).rejects.toThrow()
  expect([...files]).toEqual([])
  rows.set('other', { ...aFile(account.id, FILE, 7), contentSha256: 'hash' })
  await expect(registry.insertFile(account, received, aFile(account.id, '', 7))).rejects.toThrow()
  expect([...files]).toEqual([FILE])
})

test('content that the account has already is kept where it is, and goes with its last source', async () => {
  const { registry, files } = createRig()
  const one = await registry.insertFile(account, received, aFile(account.id, '', 7))
  const two = await registry.insertFile(account, { ...received, extension: '.mov' }, aFile(account.id, '', 7))
  expect([one.source.file, two.source.file]).toEqual([FILE, FILE])
  await registry.remove(one.source)
  expect([...files]).toEqual([FILE])
  await registry.remove(two.source)
  expect([...files]).toEqual([])
})

test('content that another node has for its sources too leaves this disk with the last source of this node, or where that is refused', async () => {
  const { registry, rows, files, elsewhere } = createRig()
  rows.set('other', { ...aFile(account.id, FILE, 7), id: 'other', contentSha256: 'hash' })
  elsewhere.add('other')
  const { source } = await registry.insertFile(account, received, aFile(account.id, '', 7))
  expect([...files]).toEqual([FILE])
  await registry.remove(source)
  expect([...files]).toEqual([])

  const refusing = createRig('source-limit-reached')
  refusing.rows.set('other', rows.get('other')!)
  refusing.elsewhere.add('other')
  await expect(refusing.registry.insertFile(account, received, aFile(account.id, '', 7))).rejects.toThrow()
  expect([...refusing.files]).toEqual([])
})

test('a file is not removed with its last source while it gets another', async () => {
  const { registry, files, keeping } = createRig()
  const { source } = await registry.insertFile(account, received, aFile(account.id, '', 7))
  const gate = createDeferred()
  keeping.gate = gate.promise
  const adding = registry.insertFile(account, received, aFile(account.id, '', 7))
  const removing = registry.remove(source)
  gate.resolve()
  await Promise.all([adding, removing])
  expect([...files]).toEqual([FILE])
})

test('a source that is used by the time of its removal stays', async () => {
  const { registry, rows, keeping } = createRig()
  const { source } = await registry.insert(account, aSource({ accountId: account.id }))
  const upload = createDeferred()
  keeping.gate = upload.promise
  const adding = registry.insertFile(account, received, aFile(account.id, 'hash', 7))
  let isUsed = false
  const removing = expect(registry.remove(source, () => isUsed)).rejects.toMatchObject({ code: 'source-in-use' })
  isUsed = true
  upload.resolve()
  await Promise.all([adding, removing])
  expect(rows.has(source.id)).toBe(true)
})
