import { describe, expect, test } from 'vitest'
import { useAccountDatabase } from '../../../test/support/account-database.ts'
import { dialects } from '../../../test/support/databases.ts'
import { createStoredFileStore, MAX_POSTPONED_MS } from './stored-files.store.ts'

describe.each(dialects)('stored files on %s', (dialect) => {
  const created = useAccountDatabase(dialect)

  const aFile = (name: string, change: object = {}) => ({
    file: `recordings/s/r/${name}.mp4`,
    kind: 'recordings',
    accountId: created().account.id,
    sizeBytes: 10,
    ...change,
  })

  test('a file waits, is stored, leaves the disk, and comes back', async () => {
    const store = createStoredFileStore(created().database.db)
    await store.insert([aFile('1'), aFile('2')], 5)
    await store.insert([aFile('1', { sizeBytes: 99 })], 6)
    const [first, second] = await store.listWaiting(5, 10)
    expect(first).toMatchObject({ ...aFile('1'), place: 'disk', localAt: 5 })
    expect(first!.key).toMatch(/^recordings\/s\/r\/1-[0-9a-f]{8}\.mp4$/)
    expect(await store.count('disk')).toEqual({ files: 2, bytes: 20 })
    expect(await store.setStored(first!, 11)).toBe(true)
    expect(await store.setStored(first!, 12)).toBe(false)
    expect(await store.listWaiting(5, 10)).toEqual([second])
    expect((await store.listCopies(5, 10)).map(({ file }) => file)).toEqual([first!.file])
    expect(await store.listCopies(4, 10)).toEqual([])
    await store.setPlace(first!, 'store')
    expect(await store.find(first!.file)).toMatchObject({ place: 'store', sizeBytes: 11 })
    await store.setPlace(first!, 'both', 70)
    expect(await store.find(first!.file)).toMatchObject({ place: 'both', localAt: 70 })
    // What was never put is nowhere else.
    await store.setPlace(second!, 'store')
    expect(await store.find(second!.file)).toMatchObject({ place: 'disk' })
    await store.drop(first!)
    await store.drop(second!)
    expect((await store.listIn('recordings/s/r')).map(({ file }) => file)).toEqual([first!.file])
  })

  test('one that is postponed waits, but not for a clock that was set back', async () => {
    const store = createStoredFileStore(created().database.db)
    await store.insert([aFile('1')], 0)
    const [file] = await store.listWaiting(0, 10)
    await store.postpone(file!, 1_000)
    expect(await store.listWaiting(999, 10)).toEqual([])
    expect(await store.listWaiting(1_000, 10)).toHaveLength(1)
    expect(await store.listWaiting(999 - MAX_POSTPONED_MS, 10)).toHaveLength(1)
  })

  test('what is removed is known by its key, once, and a file of the same name gets another', async () => {
    const store = createStoredFileStore(created().database.db)
    await store.insert([aFile('1'), aFile('2'), aFile('3', { file: 'reports/p/3.jpg', kind: 'reports' })], 0)
    const removed: string[] = []
    const note = async (keys: readonly string[]) => void removed.push(...keys)
    const before = await store.find('recordings/s/r/1.mp4')
    await store.remove(['recordings/s/r/1.mp4', 'recordings/s/r/unknown.mp4'], note)
    expect(removed).toEqual([before!.key])
    await store.insert([aFile('1')], 0)
    expect(await store.setStored(before!, 10)).toBe(false)
    await store.remove({ folder: 'recordings/s/r' }, note)
    await store.remove({ folder: 'recordings/s/r' }, note)
    expect(removed).toHaveLength(3)
    expect(new Set(removed).size).toBe(3)
    expect(await store.listFolders('reports')).toEqual(['reports/p'])
    expect(await store.listFiles('reports')).toEqual(['reports/p/3.jpg'])
    expect(await store.listFiles('recordings')).toEqual([])
  })

  test('a removal that cannot be noted removes nothing', async () => {
    const store = createStoredFileStore(created().database.db)
    await store.insert([aFile('1')], 0)
    const failing = () => Promise.reject(new Error('no'))
    await expect(store.remove(['recordings/s/r/1.mp4'], failing)).rejects.toThrow('no')
    expect(await store.find('recordings/s/r/1.mp4')).toBeDefined()
  })

  test('bytes are counted by kind and account, in the store and of that on the disk', async () => {
    const store = createStoredFileStore(created().database.db)
    await store.insert([aFile('1'), aFile('2'), aFile('3'), aFile('4', { kind: 'videos' })], 0)
    const [one, two] = await store.listWaiting(0, 10)
    for (const file of [one!, two!]) await store.setStored(file, 10)
    await store.setPlace(one!, 'store')
    const kinds = await store.bytesByKind()
    expect([...kinds.keys()]).toEqual(['recordings'])
    expect(kinds.get('recordings')).toEqual({
      inStore: new Map([[created().account.id, 20]]),
      copies: new Map([[created().account.id, 10]]),
    })
  })

  test('of several nodes each puts what is on its own disk, and finds what others have put', async () => {
    const [a, b] = [
      createStoredFileStore(created().database.db, 'a'),
      createStoredFileStore(created().database.db, 'b'),
    ]
    await a.insert([aFile('1')], 0)
    expect(await b.listWaiting(0, 10)).toEqual([])
    expect(await createStoredFileStore(created().database.db).listWaiting(0, 10)).toEqual([])
    const [file] = await a.listWaiting(0, 10)
    await a.setStored(file!, 10)
    expect(await b.listCopies(9, 10)).toEqual([])
    // Each counts what its own disk has, or would have without the store.
    expect((await a.bytesByKind()).get('recordings')?.copies).toEqual(new Map([[created().account.id, 10]]))
    expect(await b.bytesByKind()).toEqual(new Map())
    expect(await b.find(file!.file)).toMatchObject({ place: 'both' })
  })
})
