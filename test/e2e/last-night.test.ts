/** What was seen hours ago: the service of last night has a clock that is three hours slow, the one of the morning has not. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'

interface Seen {
  readonly track_id: number
  readonly first_seen: number
  readonly last_seen: number
}

const HOURS = 3
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
const slowClock = `
  const present = Date.now
  const late = () => present() - ${HOURS} * 3_600_000
  globalThis.Date = class extends Date {
    constructor(...given) {
      super(...(given.length === 0 ? [late()] : given))
    }
    static now = late
  }`

let rig: ProcessRig
let processId: string
let lastNight: Seen[]
beforeAll(async () => {
  const preload = `data:text/javascript,${encodeURIComponent(slowClock)}`
  rig = await createProcessRig({ NODE_OPTIONS: `--import=${preload}` })
  const started = await rig.start(await rig.upload(await rig.cutClip(8)), { pace: 'fast' })
  processId = started.process_uuid
  expect(await (await rig.connect(started)).closed).toBe('process finished')
  lastNight = await tracksOf(`/process/${processId}/tracks`)
  await rig.service.stop()
  await rig.restart({ NODE_OPTIONS: '' })
}, 120_000)
afterAll(() => rig.remove())

const tracksOf = async (path: string) => (await rig.ask<{ tracks: Seen[] }>('GET', path)).tracks

test('it was seen then, not now', () => {
  expect(lastNight.length).toBeGreaterThan(3)
  for (const { first_seen: first, last_seen: last } of lastNight) {
    expect(first * 1000).toBeGreaterThan(Date.parse(hoursAgo(HOURS + 0.5)))
    expect(last * 1000).toBeLessThan(Date.parse(hoursAgo(HOURS - 0.5)))
  }
})

test('a report of more than an hour reaches it', async () => {
  const minutes = (HOURS + 1) * 60
  expect(await tracksOf(`/process/${processId}/tracks?time_window_minutes=${minutes}`)).toEqual(lastNight)
})

test('from and to find it, in the report and over all processes', async () => {
  const then = `from=${hoursAgo(HOURS + 0.5)}&to=${hoursAgo(HOURS - 0.5)}`
  expect(await tracksOf(`/process/${processId}/tracks?${then}`)).toEqual(lastNight)
  const found = await rig.ask<Seen[]>('GET', `/tracks?limit=100&${then}`)
  const idsOf = (tracks: readonly Seen[]) => tracks.map(({ track_id: id }) => id).toSorted((a, b) => a - b)
  expect(idsOf(found)).toEqual(idsOf(lastNight))

  const since = `from=${hoursAgo(HOURS - 0.5)}`
  expect(await tracksOf(`/process/${processId}/tracks?${since}`)).toEqual([])
  expect(await rig.ask('GET', `/tracks?${since}`)).toEqual([])
})
