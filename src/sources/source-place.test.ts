import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { aProcess } from '../../test/builders/process.ts'
import { aSource } from '../../test/builders/source.ts'
import { createAccountDatabase } from '../../test/support/account-database.ts'
import { dialects, type TestDatabase } from '../../test/support/databases.ts'
import { type Account } from '../core/account.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { createProcessStore } from '../processes/processes.store.ts'
import { openDatabase } from '../storage/database.ts'
import { type Source } from './source.ts'
import { createSourceStore, type SourceStore } from './sources.store.ts'

describe.each(dialects)('the path of a camera on %s', (dialect) => {
  let database: TestDatabase
  let account: Account
  let store: SourceStore
  beforeEach(async () => {
    ;({ database, account } = await createAccountDatabase(dialect))
    store = createSourceStore(database.db)
  })
  afterEach(() => database.remove())

  async function addCamera(alias: string, inputUrl: string, isLive?: (path: string) => boolean): Promise<Source> {
    const camera = aSource({ accountId: account.id, alias, inputUrl, mediaPath: null, isPulled: true })
    const outcome = await store.insertWithinLimits(account, camera, isLive)
    if (typeof outcome === 'string') throw new Error(outcome)
    return outcome.source
  }

  async function addOutput(mediaPath: string): Promise<void> {
    const output = { id: orderedUuid(), account_id: account.id, alias: 'n', type: 'rtsp', url: 'rtsp://o' } as const
    const rest = { media_path: mediaPath, settings: '', process_id: null, created_at: 1 }
    await database.db
      .insertInto('output')
      .values({ ...output, ...rest })
      .execute()
  }

  const withAddress = (inputUrl: string) => (source: Source) => ({ ...source, inputUrl })

  test('is its name, unless a source, an output or a live stream has that', async () => {
    expect(await addCamera('Gate', 'rtsp://cam.test/1')).toMatchObject({ mediaPath: 'admin/gate' })
    await addOutput('admin/gate-2')
    const isLive = (path: string) => path === 'admin/gate-3'
    expect(await addCamera('Gate', 'rtsp://cam.test/2', isLive)).toMatchObject({ mediaPath: 'admin/gate-4' })
  })

  test('stays with another address', async () => {
    const { id } = await addCamera('gate', 'rtsp://cam.test/1')
    const outcome = await store.change(account, id, withAddress('rtsp://cam.test/2'), { mayMove: () => false })
    expect(outcome).toMatchObject({ source: { mediaPath: 'admin/gate', inputUrl: 'rtsp://cam.test/2' } })
  })

  test('is not left for another where a process started to read it meanwhile', async () => {
    const gate = await addCamera('gate', 'rtsp://cam.test/1')
    await addCamera('yard', 'rtsp://cam.test/1')
    let isRead = false
    const outcome = await store.change(account, gate.id, withAddress('rtsp://cam.test/2'), {
      isLive() {
        isRead = true
        return false
      },
      mayMove: () => !isRead,
    })
    expect([isRead, outcome]).toEqual([true, 'source-in-use'])
  })

  test('is not left for another while a process of another node reads it, which is known without a second connection', async () => {
    const [north, south] = ['north', 'south'].map((id) => ({ id, epoch: 1 }))
    ;({ account } = await addAccount(database, { username: 'pilot', minutes: 1 }))
    const gate = await addCamera('gate', 'rtsp://cam.test/1')
    await addCamera('yard', 'rtsp://cam.test/1')
    const reading = aProcess({ accountId: account.id, sourceId: gate.id, state: 'running' })
    const processes = createProcessStore(database.db, south)
    expect(await processes.insertWithinLimits(account, reading)).toBe('inserted')
    const single = openDatabase(database.url, undefined, { maxConnections: 1 })
    try {
      const atNorth = createSourceStore(single.db, north)
      const move = () => atNorth.change(account, gate.id, withAddress('rtsp://cam.test/2'))
      expect(await move()).toBe('source-in-use')
      await processes.update({ ...reading, state: 'stopped' })
      expect(await move()).toMatchObject({ before: { mediaPath: 'pilot/gate' }, source: { mediaPath: 'pilot/gate-2' } })
    } finally {
      await single.close()
    }
  })

  test('is shared by sources of one address, until one of them gets another', async () => {
    const gate = await addCamera('gate', 'rtsp://cam.test/1')
    const yard = await addCamera('yard', 'rtsp://cam.test/1')
    expect(yard.mediaPath).toBe('admin/gate')
    const renamed = await store.change(account, gate.id, (source) => ({ ...source, alias: 'tower' }))
    expect(renamed).toMatchObject({ source: { mediaPath: 'admin/gate' } })
    const elsewhere = withAddress('rtsp://cam.test/2')
    expect(await store.change(account, yard.id, elsewhere, { mayMove: () => false })).toBe('source-in-use')
    expect(await store.change(account, yard.id, elsewhere)).toMatchObject({
      before: { mediaPath: 'admin/gate' },
      source: { mediaPath: 'admin/yard' },
    })
    expect(await store.findByMediaPath('admin/gate')).toMatchObject([{ id: gate.id, inputUrl: 'rtsp://cam.test/1' }])
  })

  test('is not taken from an output', async () => {
    const { id } = await addCamera('gate', 'rtsp://cam.test/1')
    await addOutput('admin/out')
    const onto = (source: Source) => ({ ...source, mediaPath: 'admin/out', isPulled: false })
    expect(await store.change(account, id, onto)).toEqual({ takenPath: 'admin/out' })
  })
})
