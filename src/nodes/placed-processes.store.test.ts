import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addAccount, accountsOn } from '../../test/builders/account.ts'
import { aProcess } from '../../test/builders/process.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { type Account } from '../core/account.ts'
import { createProcessStore } from '../processes/processes.store.ts'
import { latestSchemaVersion } from '../storage/migrate.ts'
import { createPlacedProcessStore, type PlacedProcessStore } from './placed-processes.store.ts'

describe.each(dialects)('what runs where (%s)', (dialect) => {
  let database: TestDatabase
  let store: PlacedProcessStore
  let admin: Account
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    store = createPlacedProcessStore(database.db)
    admin = (await addAccount(database, { username: 'admin', minutes: 10 })).account
  })
  afterEach(() => database.remove())

  async function addProcess(
    account: Account,
    node: { readonly id: string; readonly epoch: number } | null,
    change: Parameters<typeof aProcess>[0] = {},
  ): Promise<string> {
    const process = aProcess({ accountId: account.id, state: 'running', ...change })
    await createProcessStore(database.db, node).insertWithinLimits(account, process)
    return process.id
  }

  const addNode = (id: string, epoch: number, isAlive = true) =>
    database.db
      .insertInto('node')
      .values({
        id,
        epoch,
        is_alive: Number(isAlive),
        lease_until: 1,
        instance: id,
        rtsp_url: null,
        labels: '[]',
        load: null,
        version: '1',
        schema_version: latestSchemaVersion,
        is_draining: 0,
        started_at: 1,
      })
      .execute()

  const addSource = (id: string, node: { readonly id: string; readonly epoch: number } | null) =>
    database.db
      .insertInto('source')
      .values({
        id,
        account_id: admin.id,
        alias: `the ${id}`,
        type: 'stream',
        input_url: 'rtsp://camera',
        stream_type: 'rtsp',
        telemetry_cfg: null,
        media_path: null,
        is_pulled: 1,
        record: 0,
        recording_mode: 'off',
        size_bytes: 0,
        video: null,
        fingerprint: id,
        created_at: 1,
        content_sha256: null,
        file: null,
        node_id: node?.id ?? null,
        node_epoch: node?.epoch ?? null,
      })
      .execute()

  test('work is counted by node; what is a dead node’s, or an earlier one’s, waits', async () => {
    await addNode('a', 5)
    await addNode('dead', 3, false)
    const a = { id: 'a', epoch: 5 }
    await addProcess(admin, a)
    await addProcess(admin, a, { sourceType: 'file' })
    await addProcess(admin, a, { state: 'stopped', stoppedAt: 1 })
    await addProcess(admin, { id: 'a', epoch: 4 })
    await addProcess(admin, { id: 'dead', epoch: 3 })
    await addSource('gate', a)
    await addSource('roof', null)
    await database.db
      .insertInto('live_path')
      .values({ path: 'x/y', node_id: 'a', node_epoch: 5, principal: 'x', protocol: 'rtsp', video: null, since: 1 })
      .execute()
    expect(await store.count()).toEqual(
      new Map([
        ['a', { processes: 2, files: 1, cameras: 1, streams: 1 }],
        [null, { processes: 2, files: 0, cameras: 1, streams: 0 }],
      ]),
    )
  })

  test('a master sees what it and its children have there, newest first, a page at a time', async () => {
    const { service } = accountsOn(database)
    const { account: child } = await service.createChild(admin, { username: 'child', minutes: 5 })
    const { account: other } = await addAccount(database, { username: 'olga', minutes: 10 })
    await addSource('gate', null)
    const a = { id: 'a', epoch: 5 }
    const first = await addProcess(admin, a, { sourceId: 'gate' })
    const second = await addProcess(child, a, { sourceType: 'file', sourceId: 'removed' })
    await addProcess(other, a)
    await addProcess(admin, null)
    await addProcess(admin, a, { state: 'failed', stoppedAt: 1 })
    const page = await store.list('a', admin.id, { limit: 1 })
    expect(page.items).toEqual([
      { id: second, username: 'child', sourceAlias: null, sourceType: 'file', state: 'running', createdAt: 0 },
    ])
    const next = await store.list('a', admin.id, { limit: 1, cursor: page.nextCursor })
    expect(next).toMatchObject({ items: [{ id: first, sourceAlias: 'the gate' }], nextCursor: undefined })
    expect((await store.list(null, admin.id, { limit: 9 })).items).toHaveLength(1)
  })
})
