import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { seen, seenAt } from '../../test/builders/report.ts'
import { dialects } from '../../test/support/databases.ts'
import { createReportRig, type ReportRig } from '../../test/support/report-rig.ts'
import { type Process } from '../processes/process.ts'
import { listNear } from './near.store.ts'
import { fromCursor, type TrackSearch } from './track-search.ts'
import { createTrackSearchStore, type SearchLimits, type TrackSearchStore } from './track-search.store.ts'

const TRACKS = 1_000
const LIMITS: SearchLimits = { step: 20, reads: 5 }

describe.each(dialects)('track search on %s', (dialect) => {
  let rig: ReportRig
  let process: Process
  let store: TrackSearchStore
  let start: number
  beforeEach(async () => {
    rig = await createReportRig(dialect)
    process = await rig.addProcess()
    store = createTrackSearchStore(rig.database.db, LIMITS)
    start = rig.clock.now()
  })
  afterEach(() => rig.remove())

  /** Five begin at a time, every second; every 333rd is a dog. */
  async function fill(placeOf?: (id: number) => readonly [latitude: number, longitude: number]): Promise<void> {
    for (let id = 1; id <= TRACKS; id += 5) {
      const ids = [0, 1, 2, 3, 4].map((more) => id + more)
      const tracks = ids.map((one) => {
        const change = { className: one % 333 === 0 ? 'dog' : 'person' }
        return placeOf ? seenAt(one, ...placeOf(one), change) : seen(one, change)
      })
      rig.see(process, tracks, start + id * 200)
    }
    await rig.reports.service.flush()
  }

  async function readPages(search: TrackSearch, limit: number): Promise<number[][]> {
    const pages: number[][] = []
    let cursor: string | undefined
    do {
      const after = cursor === undefined ? undefined : fromCursor(cursor)
      const page = await store.search(rig.account.id, search, { limit, after })
      pages.push(page.items.map(({ trackId }) => trackId))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return pages
  }

  test('a page looks at so many tracks at the most, and the next goes on where it ended', async () => {
    await fill()
    const pages = await readPages({ range: {}, processId: process.id, className: 'dog' }, 100)
    expect(pages.length).toBeGreaterThanOrEqual(TRACKS / (LIMITS.step * LIMITS.reads))
    expect(pages.filter((page) => page.length > 0)).toEqual([[999], [666], [333]])
  })

  test('several classes, how sure and how long it was, colour and plate all have to fit', async () => {
    rig.see(
      process,
      [seen(1, { confidence: 0.9 }), seen(2, { className: 'car', confidence: 0.5 }), seen(3, { className: 'dog' })],
      start,
    )
    rig.see(process, [seen(2, { className: 'car', confidence: 0.5 })], start + 10_000)
    await rig.reports.service.flush()
    const enhance = (trackId: number, words: { color?: string; plate?: string }) =>
      rig.database.db.updateTable('track').set(words).where('track_id', '=', trackId).execute()
    await enhance(1, { color: ' red blue ' })
    await enhance(2, { color: ' darkred ', plate: 'MAX_17' })
    const find = async (search: object) => (await readPages({ range: {}, ...search }, 10)).flat().sort()
    expect(await find({ classNames: ['car', 'dog'] })).toEqual([2, 3])
    expect(await find({ classNames: ['car'], className: 'dog' })).toEqual([])
    expect(await find({ color: 'blue' })).toEqual([1])
    expect(await find({ color: 'red' })).toEqual([1])
    expect(await find({ plate: 'MAX' })).toEqual([2])
    expect(await find({ plate: 'AX' })).toEqual([])
    expect(await find({ plate: 'M_X' })).toEqual([])
    expect(await find({ plate: 'MAX', color: 'red' })).toEqual([])
    expect(await find({ minSeconds: 10 })).toEqual([2])
    expect(await find({ minSeconds: 10.1 })).toEqual([])
    expect(await find({ minConfidence: 80, classNames: ['person', 'car'] })).toEqual([1])
  })

  test('a plate is found at once among however many tracks', async () => {
    await fill()
    await rig.database.db.updateTable('track').set({ plate: 'M1' }).where('track_id', 'in', [7, 993]).execute()
    const search = { range: {}, plate: 'M' }
    expect((await store.search(rig.account.id, search, { limit: 10 })).items.map(({ trackId }) => trackId)).toEqual([
      993, 7,
    ])
    // Where many have one like it, they are looked for in the order of time.
    await rig.database.db.updateTable('track').set({ plate: 'M2' }).execute()
    rig.see(process, [seen(TRACKS + 1)], start + TRACKS * 200)
    await rig.reports.service.flush()
    await rig.database.db.updateTable('track').set({ plate: 'M2' }).execute()
    expect((await readPages(search, 300)).flat()).toHaveLength(TRACKS + 1)
  })

  test('a full page ends at its last track, whatever was looked at', async () => {
    await fill()
    const pages = await readPages({ range: {}, processId: process.id }, 7)
    expect(pages.flat()).toEqual(Array.from({ length: TRACKS }, (_, index) => TRACKS - index))
    expect(pages.slice(0, -1).every(({ length }) => length === 7)).toBe(true)
  })

  test('what had begun before the range is found on a later page', async () => {
    rig.see(process, [seen(TRACKS + 1, { className: 'dog' })], start - 60_000)
    await fill()
    rig.see(process, [seen(TRACKS + 1, { className: 'dog' })], start + TRACKS * 200)
    await rig.reports.service.flush()
    const pages = await readPages({ range: { from: start }, processId: process.id, className: 'dog' }, 100)
    expect(pages.flat()).toEqual([999, 666, 333, TRACKS + 1])
  })

  test('what lies in the corners around a circle counts as looked at', async () => {
    // 1 km around the circle's centre is a square; most stand in its corner, and too many for a look at those around alone.
    store = createTrackSearchStore(rig.database.db, { ...LIMITS, step: 2_000 })
    await fill((id) => (id === 500 ? [48, 11] : [48.0085, 11.0128]))
    rig.see(
      process,
      Array.from({ length: 50 }, (_, index) => seenAt(TRACKS + 1 + index, 48.0085, 11.0128)),
      start - 1,
    )
    await rig.reports.service.flush()
    const pages = await readPages({ range: {}, near: { latitude: 48, longitude: 11, radiusM: 1_000 } }, 10)
    expect(pages.length).toBeGreaterThanOrEqual(TRACKS / (50 * LIMITS.reads))
    expect(pages.flat()).toEqual([500])
  })

  test('where many lie as far north, a circle with few in it is not looked for by its place', async () => {
    await fill((id) => (id === 500 ? [48, 11] : [48, 30]))
    const circle = { latitude: 48, longitude: 11, radiusM: 1_000 }
    expect(await listNear(rig.database.db, rig.account.id, circle)).toMatchObject([{ trackId: 500 }])
    rig.see(process, [seenAt(TRACKS + 1, 48, 30)], start - 1)
    await rig.reports.service.flush()
    expect(await listNear(rig.database.db, rig.account.id, circle)).toBeUndefined()
    expect((await readPages({ range: {}, near: circle }, 10)).flat()).toEqual([500])
  })

  test('a search that nobody waits for ends at once', async () => {
    await fill()
    const search = { range: {}, processId: process.id, className: 'dog' }
    const page = await store.search(rig.account.id, search, { limit: 100, signal: AbortSignal.abort() })
    expect(page.items.map(({ trackId }) => trackId)).toEqual([999])
    expect(fromCursor(page.nextCursor!).firstSeenAt).toBeGreaterThan(start + (TRACKS - 2 * LIMITS.step) * 200)
  })
})
