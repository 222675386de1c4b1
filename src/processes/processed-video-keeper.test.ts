import { expect, test } from 'vitest'
import { type Log } from '../observe/log.ts'
import { createProcessedVideoKeeper } from './processed-video-keeper.ts'

/** Videos of 100 bytes in a budget of 1000, the newest first; `living` are being recorded. */
function setUp({ kept, living }: { kept: string[]; living: string[] }) {
  const room = { leftBytes: 0 }
  const told: string[] = []
  const keeping = new Set(living)
  const said: string[] = []
  const log = { warn: () => said.push('warn'), info: () => said.push('info') } as unknown as Log
  const keeper = createProcessedVideoKeeper({
    videos: {
      list: async () => kept.map((processId, index) => ({ processId, sizeBytes: 100, writtenAt: 1_000 - index })),
      async remove(processId) {
        kept.splice(kept.indexOf(processId), 1)
        said.push(processId)
      },
    },
    recordings: {
      list: () => living,
      stop: (id) => void (keeping.delete(id), told.push(`stop ${id}`)),
      resume: (id) => void (keeping.add(id), told.push(`resume ${id}`)),
    },
    listUnended: async () => living,
    budget: {
      state: async () => ({ usedBytes: 1_000 - room.leftBytes, limitBytes: 1_000, leftBytes: room.leftBytes }),
    },
    log,
  })
  const look = (leftBytes: number) => {
    room.leftBytes = leftBytes
    return keeper.keepWithinBudget(new AbortController().signal)
  }
  return { kept, living, told, said, look }
}

test('the oldest videos of processes that have ended go first, as many as needed', async () => {
  const { kept, told, look } = setUp({ kept: ['new', 'old', 'older', 'live'], living: ['live'] })
  await look(0)
  expect(kept).toHaveLength(4)
  await look(-150)
  expect(kept).toEqual(['new', 'live'])
  expect(told).toEqual([])
})

test('with nothing left to remove keeping stops, which is said once', async () => {
  const { kept, living, told, said, look } = setUp({ kept: ['live', 'old'], living: ['live'] })
  await look(-500)
  expect(kept).toEqual(['live'])
  expect(told).toEqual(['stop live'])
  living.push('late')
  await look(-500)
  await look(-500)
  expect(told).toEqual(['stop live', 'stop late'])
  expect(said).toEqual(['old', 'warn', 'warn'])
})

test('it goes on when there is room to spare, for those that still live', async () => {
  const { living, told, said, look } = setUp({ kept: [], living: ['one', 'two'] })
  await look(-1)
  living.shift()
  await look(50)
  expect(told).toEqual(['stop one', 'stop two'])
  await look(51)
  await look(51)
  expect(told.slice(2)).toEqual(['resume two'])
  expect(said).toEqual(['warn', 'info'])
})

test('without anything to keep nothing is said', async () => {
  const { said, look } = setUp({ kept: [], living: [] })
  await look(-1)
  await look(500)
  expect(said).toEqual([])
})
