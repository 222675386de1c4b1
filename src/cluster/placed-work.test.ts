import { afterEach, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { DatabaseAway } from '../core/outages.ts'
import { createLog } from '../observe/log.ts'
import { type OwnWork } from './own-work.store.ts'
import { createPlacedWork, type PlacedWork } from './placed-work.ts'

let open: PlacedWork | undefined
afterEach(() => open?.close())

async function rig() {
  const clock = createFakeClock()
  const rows = { processes: ['p1'], cameras: ['c1'] }
  const given: string[][] = []
  let failures = 0
  let afterReading = async () => {}
  let afterTakingUp = () => {}
  const placed = createPlacedWork({
    node: { id: 'a', epoch: 3 },
    store: {
      async list(): Promise<OwnWork> {
        const read = { processes: rows.processes.map((id) => ({ id, isLive: true })), cameraIds: rows.cameras }
        await afterReading()
        return read
      },
    },
    onPlaced: async ({ processes, cameraIds }) => {
      if (failures-- > 0) throw new DatabaseAway(new Error('not now'))
      if (processes.some(({ id }) => id === 'poison')) throw new Error('it cannot be read')
      given.push([...processes.map(({ id }) => id), ...cameraIds])
      afterTakingUp()
    },
    clock,
    log: createLog({ level: 'silent' }),
  })
  open = placed
  const slept = clock.nextSleep()
  placed.start()
  await slept
  const poll = async () => {
    const next = clock.nextSleep()
    await clock.advance(1_000)
    await next
  }
  return {
    placed,
    clock,
    rows,
    given,
    poll,
    failNext: () => void (failures = 1),
    afterReading: (act: () => Promise<void>) => void (afterReading = act),
    afterTakingUp: (act: () => void) => void (afterTakingUp = act),
  }
}

test('what it is given is given once, and what comes later when it comes', async () => {
  const { rows, given, poll } = await rig()
  expect(given).toEqual([['p1', 'c1']])
  await poll()
  rows.processes.push('p2')
  await poll()
  await poll()
  expect(given).toEqual([['p1', 'c1'], ['p2']])
})

test('what is begun here is not given; unless nothing came of it', async () => {
  const { placed, rows, given, poll } = await rig()
  const forget = placed.expect('p2')
  placed.expect('p3')
  rows.processes.push('p2', 'p3')
  await poll()
  expect(given).toHaveLength(1)
  forget()
  await poll()
  expect(given[1]).toEqual(['p2'])
})

test('what could not be taken up is given again', async () => {
  const { rows, given, poll, failNext } = await rig()
  rows.processes.push('p2')
  failNext()
  await poll()
  expect(given).toHaveLength(1)
  await poll()
  expect(given[1]).toEqual(['p2'])
})

test('one that cannot be taken up keeps none of the others, and is tried again', async () => {
  const { rows, given, poll } = await rig()
  rows.processes.push('p2', 'poison', 'p3')
  rows.cameras.push('c2')
  await poll()
  await poll()
  expect(given.slice(1)).toEqual([['c2'], ['p2'], ['p3']])
  rows.processes = rows.processes.map((id) => (id === 'poison' ? 'mended' : id))
  await poll()
  expect(given.at(-1)).toEqual(['mended'])
})

test('what was another’s meanwhile is given anew', async () => {
  const { placed, rows, given, poll } = await rig()
  rows.processes = []
  placed.forget('p1')
  await poll()
  rows.processes = ['p1']
  await poll()
  expect(given[1]).toEqual(['p1'])
})

test('what is given away while it looks is not taken up by what it read before', async () => {
  const { placed, rows, given, poll, afterReading } = await rig()
  afterReading(async () => {
    rows.processes = []
    placed.forget('p1')
  })
  await poll()
  afterReading(async () => {})
  await poll()
  expect(given).toEqual([['p1', 'c1']])
})

test('what is given away while the rest is taken up is given anew when it comes back', async () => {
  const { placed, rows, given, poll, afterTakingUp } = await rig()
  rows.cameras = ['c1', 'c2']
  afterTakingUp(() => placed.forget('c2'))
  await poll()
  rows.cameras = ['c1']
  await poll()
  rows.cameras = ['c1', 'c2']
  await poll()
  expect(given).toEqual([['p1', 'c1'], ['c2'], ['c2']])
})

test('whoever is woken does not wait', async () => {
  const { placed, clock, rows, given } = await rig()
  rows.processes.push('p2')
  const slept = clock.nextSleep()
  placed.wake()
  await slept
  expect(given[1]).toEqual(['p2'])
})
