import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createCrowding } from './crowding.ts'

function setUp() {
  const clock = createFakeClock(0)
  const state = { cores: 2, freeCores: 1, sparedCores: 0 }
  const live = ['a', 'b']
  const sent: string[] = []
  const crowding = createCrowding({
    capacity: state,
    processes: {
      listLiveIds: () => live,
      send: (id, command) => void sent.push(`${id} ${command.type === 'crowded' && command.isCrowded}`),
    },
    clock,
  })
  crowding.start()

  /** Whom was said what, once the machine is like that. */
  async function look(change: Partial<typeof state>, looks = 1): Promise<string[]> {
    Object.assign(state, change)
    for (let look = 0; look < looks; look++) await clock.advance(3_000)
    return sent.splice(0)
  }

  return { look, live, stop: () => crowding.stop() }
}

test('each is told when the machine becomes short of time, and when it no longer is', async () => {
  const { look, stop } = setUp()
  expect(await look({}, 3)).toEqual([])
  expect(await look({ freeCores: -0.01 }, 2)).toEqual(['a true', 'b true'])
  expect(await look({ freeCores: -0.5 }, 9)).toEqual([])
  expect(await look({ freeCores: 0.4 }, 5)).toEqual(['a false', 'b false'])
  stop()
})

test('a moment changes nothing, neither way', async () => {
  const { look, stop } = setUp()
  expect(await look({ freeCores: -1 })).toEqual([])
  expect(await look({ freeCores: 1 })).toEqual([])
  expect(await look({ freeCores: -1 })).toEqual([])
  expect(await look({ freeCores: -1 })).toEqual(['a true', 'b true'])
  expect(await look({ freeCores: 1 }, 4)).toEqual([])
  expect(await look({ freeCores: 0.2 })).toEqual([])
  expect(await look({ freeCores: 1 }, 4)).toEqual([])
  stop()
})

test('what workers spare counts as used, so that it does not go to and fro', async () => {
  const { look, stop } = setUp()
  await look({ freeCores: -0.1 }, 2)
  expect(await look({ freeCores: 1, sparedCores: 0.8 }, 20)).toEqual([])
  expect(await look({ freeCores: 1.2, sparedCores: 0.8 }, 5)).toEqual(['a false', 'b false'])
  stop()
})

test('who comes later is told as well', async () => {
  const { look, live, stop } = setUp()
  await look({ freeCores: -0.1 }, 2)
  live.push('c')
  expect(await look({})).toEqual(['c true'])
  live.splice(0, 3)
  expect(await look({})).toEqual([])
  live.push('a')
  expect(await look({})).toEqual(['a true'])
  stop()
})
