import { expect, test } from 'vitest'
import { diskOnly } from '../../test/builders/disk-only.ts'
import { type Log } from '../observe/log.ts'
import { type DiskState } from '../storage/disk-shares.ts'
import { createProcessedVideoKeeper } from './processed-video-keeper.ts'

/** Videos of 100 bytes in a budget of 1000, the newest first, named after their accounts; `living` are being recorded. */
function setUp({ kept, living }: { kept: string[]; living: string[] }) {
  const sent: string[] = []
  const logged: string[] = []
  const log = { warn: () => logged.push('warn'), info: () => logged.push('info') } as unknown as Log
  const accountOf = (processId: string) => processId.split('-')[0]!
  const keeper = createProcessedVideoKeeper({
    videos: {
      listIds: async () => kept,
      measure: async (processId) => ({ processId, sizeBytes: 100, writtenAt: 1_000 - kept.indexOf(processId) }),
      listUnstored: async (processId) => [{ file: `processed/${processId}/1.mp4`, sizeBytes: 100 }],
      removeUnstored: async (processId) => void kept.splice(kept.indexOf(processId), 1),
    },
    places: diskOnly(''),
    recordings: {
      list: () => living.map((processId) => ({ processId, accountId: accountOf(processId) })),
      stop: (id) => void sent.push(`stop ${id}`),
      resume: (id) => void sent.push(`resume ${id}`),
    },
    findOwners: async (ids) =>
      ids
        .filter((id) => accountOf(id) !== 'forgotten')
        .map((id) => ({ processId: id, accountId: accountOf(id), hasEnded: !living.includes(id) })),
    log,
  })
  /** After a pass that left so much, while mallory and bob hold this. */
  const look = (leftBytes: number, held: Record<string, number> = { mallory: 600, bob: 400 }) => {
    const holders = Object.entries(held).map(([accountId, heldBytes]) => ({
      accountId,
      masterId: 'admin',
      heldBytes,
      removableBytes: 0,
    }))
    const state: DiskState = { holders, usedBytes: 1_000 - leftBytes, limitBytes: 1_000, leftBytes, diskLeftBytes: 1e9 }
    return keeper.onPass(state)
  }
  const lookUnfinished = () => keeper.onPass(undefined)
  return { keeper, kept, living, sent, logged, look, lookUnfinished }
}

test('what each account holds is counted, and the oldest that have ended may go', async () => {
  const { keeper, kept } = setUp({
    kept: ['bob-new', 'mallory-1', 'bob-old', 'forgotten-1', 'bob-older', 'bob-live'],
    living: ['bob-live'],
  })
  expect(await keeper.kept.heldBytes()).toEqual(
    new Map([
      ['bob', 400],
      ['mallory', 100],
    ]),
  )
  expect(await keeper.kept.removal!.writingBytes()).toEqual(new Map([['bob', 100]]))
  for (const file of await keeper.kept.removal!.listOldest('bob', 2)) await file.remove()
  expect(kept).toEqual(['bob-new', 'mallory-1', 'forgotten-1', 'bob-live'])
})

test('without room those above their share are no longer kept, which is logged once', () => {
  const { living, sent, logged, look } = setUp({ kept: [], living: ['mallory-1', 'bob-1'] })
  look(-50)
  look(-50)
  expect(sent).toEqual(['stop mallory-1'])
  expect(logged).toEqual(['warn'])
  living.push('mallory-2')
  look(-50)
  expect(sent).toEqual(['stop mallory-1', 'stop mallory-2'])
})

test('keeping goes on when there is room to spare, for those that still live', () => {
  const { living, sent, logged, look } = setUp({ kept: [], living: ['mallory-1', 'mallory-2'] })
  look(-1)
  living.shift()
  look(49)
  expect(sent).toEqual(['stop mallory-1', 'stop mallory-2'])
  look(50)
  look(50)
  expect(sent.slice(2)).toEqual(['resume mallory-2'])
  expect(logged).toEqual(['warn', 'info'])
})

test('while there is more to remove nobody stops', () => {
  const { sent, lookUnfinished } = setUp({ kept: [], living: ['mallory-1'] })
  lookUnfinished()
  expect(sent).toEqual([])
})
