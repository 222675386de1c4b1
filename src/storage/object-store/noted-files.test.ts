import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useAccountDatabase } from '../../../test/support/account-database.ts'
import { dialects } from '../../../test/support/databases.ts'
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { systemClock } from '../../core/clock.ts'
import { createLog } from '../../observe/log.ts'
import { createDiskBudget } from '../disk-budget.ts'
import { createJobStore, type Job } from '../jobs.store.ts'
import { createObjectStore } from './object-store.module.ts'

const signal = new AbortController().signal

describe.each(dialects)('files of several nodes without an object store, with rows on %s', (dialect) => {
  const folder = useTemporaryFolder('aerie-noted-')
  const created = useAccountDatabase(dialect)

  /** A node with one file of a kind that has rows, and one of a kind that has none; of a service of one where it has no name. */
  function setUp(name: string, nodeId: string | null) {
    const dataDir = join(folder(), name)
    const log = createLog({ level: 'silent' })
    const { places, jobs } = createObjectStore({
      dataDir,
      config: undefined,
      node: nodeId === null ? null : { id: nodeId, epoch: 1 },
      db: created().database.db,
      jobStore: createJobStore(created().database),
      runner: { wake() {} },
      budget: createDiskBudget({
        folder: dataDir,
        fixedBytes: 1_000_000,
        db: created().database.db,
        clock: systemClock,
        log,
      }),
      metrics: { addGauge() {} },
      clock: systemClock,
      log,
    })
    for (const [kind, isFoundByNote] of [
      ['processed', true],
      ['recordings', false],
    ] as const) {
      const file = `${kind}/p/${name}.mp4`
      mkdirSync(join(dataDir, kind, 'p'), { recursive: true })
      writeFileSync(join(dataDir, file), 'video')
      places.add({
        kind,
        isFoundByNote,
        async *listSettled() {
          yield [{ file, accountId: created().account.id }]
        },
      })
    }
    const note = async () => {
      for (const job of jobs) await job.handle({} as Job, signal)
    }
    return { places, jobs, note }
  }

  test('each notes what has no rows of its own, and all know which node has it', async () => {
    const [north, south] = [setUp('1', 'north'), setUp('2', 'south')]
    for (const node of [north, south]) await node.note()
    expect(await north.places.listElsewhere('processed/p')).toEqual(['processed/p/2.mp4'])
    expect(await south.places.listElsewhere('processed/p')).toEqual(['processed/p/1.mp4'])
    expect(await south.places.nodeOf('processed/p/1.mp4')).toBe('north')
    expect(await south.places.nodeOf('processed/p/3.mp4')).toBeUndefined()
    expect(await south.places.nodeOf('recordings/p/1.mp4')).toBeUndefined()
    // It is in no object store.
    expect(await south.places.listStored('processed/p')).toEqual(new Map())
    expect(await south.places.kept('processed/p/1.mp4').inStore()).toBeUndefined()
  })

  test('what is removed is noted no more, and nothing is to be removed from a store', async () => {
    const [north, south] = [setUp('1', 'north'), setUp('2', 'south')]
    await north.note()
    await south.places.forget({ folder: 'processed/p' })
    expect(await south.places.listElsewhere('processed/p')).toEqual([])
    expect(await created().database.db.selectFrom('job').select('kind').execute()).toEqual([])
  })

  test('a service of one node notes nothing', async () => {
    expect(setUp('1', null).jobs).toEqual([])
  })
})
