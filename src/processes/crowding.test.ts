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
  async function look(change: Partial<typeof state>): Promise<string[]> {
    Object.assign(state, change)
    await clock.advance(3_000)
    return sent.splice(0)
  }

  return { look, live, stop: () => crowding.stop() }
}

test('each is told when the machine becomes short of time, and when it no longer is', async () => {
  const { look, stop } = setUp()
  expect(await look({})).toEqual([])
  expect(await look({ freeCores: -0.01 })).toEqual(['a true', 'b true'])
  expect(await look({ freeCores: -0.5 })).toEqual([])
  expect(await look({ freeCores: 0.3 })).toEqual(['a false', 'b false'])
  stop()
})

test('what workers spare counts as used, so that it does not go to and fro', async () => {
  const { look, stop } = setUp()
  await look({ freeCores: -0.1 })
  expect(await look({ freeCores: 0.9, sparedCores: 0.8 })).toEqual([])
  expect(await look({ freeCores: 1.1, sparedCores: 0.8 })).toEqual(['a false', 'b false'])
  stop()
})

test('who comes later is told as well', async () => {
  const { look, live, stop } = setUp()
  await look({ freeCores: -0.1 })
  live.push('c')
  expect(await look({})).toEqual(['c true'])
  live.splice(0, 3)
  expect(await look({})).toEqual([])
  live.push('a')
  expect(await look({})).toEqual(['a true'])
  stop()
})
