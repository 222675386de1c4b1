import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aTrackPicture, jpegOf, seen, seenAt } from '../../test/builders/report.ts'
import { createReportRig, type ReportRig } from '../../test/support/report-rig.ts'
import { dialects } from '../../test/support/databases.ts'
import { createStoredFileStore } from '../storage/object-store/stored-files.store.ts'
import { createPictureStore } from './pictures.store.ts'
import { type ReportTrack } from './report.ts'
import { type RequestedWindow } from './report-window.ts'
import { createReportStore } from './reports.store.ts'
import { createTrackStore, emptyReport } from './tracks.store.ts'
import { type Tables } from '../storage/schema.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe.each(dialects)('reports on %s', (dialect) => {
  let rig: ReportRig
  beforeEach(async () => {
    rig = await createReportRig(dialect)
  })
  afterEach(() => rig.remove())

  const everything = { boxes: true, places: true, patches: true }
  async function readWindow(processId: string, window: RequestedWindow, wanted = everything): Promise<ReportTrack[]> {
    const { tracks } = await rig.reports.service.open(rig.account, processId, window, wanted)
    const all: ReportTrack[] = []
    for await (const track of tracks) all.push(track)
    return all
  }
  const read = (processId: string, minutes = 10) => readWindow(processId, { minutes })
  const count = async (table: keyof Tables) => (await rig.database.db.selectFrom(table).selectAll().execute()).length
  const filesOf = (processId: string) => {
    const folder = join(rig.dataDir, 'reports', processId)
    return existsSync(folder) ? readdirSync(folder).sort() : []
  }

  test('what was seen comes back whole, however it was cut into writes', async () => {
    const process = await rig.addProcess()
    const other = await rig.addProcess()
    const start = rig.clock.now()
    const times: number[] = []
    for (let frame = 0; frame < 300; frame++) {
      const at = start + frame * 100
      times.push(at)
      const box = { x: frame, y: 1, width: 2, height: 3 }
      rig.see(process, [seenAt(1, 48 + frame / 1e4, 11, { box, confidence: frame / 300 }), seen(2)], at)
      rig.see(other, [seen(1, { className: 'dog', classId: 18 })], at)
      if (frame % 37 === 0) await read(process.id)
    }
    await rig.clock.advance(30_000)
    const [first, second, ...more] = await read(process.id)
    expect(more).toEqual([])
    expect(first).toMatchObject({
      trackId: 1,
      className: 'person',
      box: [299, 1, 2, 3],
      firstSeenAt: start,
      lastSeenAt: times.at(-1),
      firstLocation: { latitude: 48, longitude: 11, altitude: 12, timestamp: start / 1000 },
      lastLocation: { latitude: 48.0299 },
    })
    expect(first!.times).toEqual(times)
    expect(first!.confidences).toEqual(times.map((_, frame) => Math.round((frame / 300) * 10_000) / 100))
    expect(first!.boxes).toEqual(times.map((_, frame) => [frame + 1, frame, 1, 2, 3]))
    expect(first!.places).toHaveLength(300)
    expect(second).toMatchObject({ trackId: 2, firstLocation: null, lastLocation: null })
    expect(await read(other.id)).toMatchObject([{ trackId: 1, className: 'dog' }])
    // 300 sightings of three tracks, a few rows each.
    expect(await count('track_chunk')).toBeLessThanOrEqual(9)
  })

  test('the class is the one with the highest sum over its life', async () => {
    const process = await rig.addProcess()
    rig.see(process, [seen(1, { confidence: 0.9 })])
    expect(await read(process.id)).toMatchObject([{ className: 'person' }])
    for (const confidence of [0.5, 0.5]) rig.see(process, [seen(1, { classId: 3, className: 'car', confidence })])
    expect(await read(process.id)).toMatchObject([{ classId: 3, className: 'car' }])
  })

  test('only what lies in the window is told, and tracks outside of it not at all', async () => {
    const process = await rig.addProcess()
    const start = rig.clock.now()
    rig.see(process, [seen(1), seen(2)])
    await rig.clock.advance(5 * 60_000)
    rig.see(process, [seen(2)])
    await rig.clock.advance(1_000)
    expect(await read(process.id, 1)).toMatchObject([
      { trackId: 2, firstSeenAt: start, times: [start + 5 * 60_000], confidences: [50], isLive: true },
    ])
    expect(await read(process.id, 6)).toMatchObject([{ trackId: 1, isLive: false }, { times: { length: 2 } }])
    await rig.clock.advance(3_600_000)
    expect(await read(process.id, 6)).toEqual([])
    // Of a process that has ended, the window ends with it.
    await rig.end(process)
    expect(await read(process.id, 1)).toMatchObject([{ trackId: 2, isLive: false }])
  })

  test('between two moments everything that was seen at the first or later, and before the second', async () => {
    const process = await rig.addProcess()
    const other = await rig.addProcess()
    const start = rig.clock.now()
    const [first, second, third] = [start, start + HOUR_MS, start + 8 * HOUR_MS]
    // The first is there all night; the second for a moment before midnight, the third after it.
    for (const at of [first, second, third]) rig.see(process, [seenAt(1, 48, at / 1e12)], at)
    rig.see(process, [seen(2)], second - 1)
    rig.see(process, [seen(3)], second)
    rig.see(other, [seen(1)], second)
    await rig.end(process)
    const idsAndTimes = async (window: RequestedWindow) =>
      (await readWindow(process.id, window)).map(({ trackId, times }) => [trackId, ...times])
    const atMidnight = { from: second, to: second + 1 }
    expect(await idsAndTimes(atMidnight)).toEqual([
      [1, second],
      [3, second],
    ])
    const [lasting] = await readWindow(process.id, atMidnight)
    expect(lasting).toMatchObject({
      firstSeenAt: first,
      lastSeenAt: third,
      confidences: [50],
      boxes: [[2, 20, 10, 50, 40]],
    })
    expect(lasting!.places).toHaveLength(1)
    expect(await idsAndTimes({ to: second })).toEqual([
      [1, first],
      [2, second - 1],
    ])
    expect(await idsAndTimes({ from: second + 1 })).toEqual([[1, third]])
    // It was there before and after, but not seen.
    expect(await idsAndTimes({ from: first + 1, to: second - 1 })).toEqual([])
    expect(await idsAndTimes({ from: third + 1 })).toEqual([])
  })

  test('a window in the middle of more tracks than are looked up', async () => {
    const process = await rig.addProcess()
    const start = rig.clock.now()
    for (let minute = 0; minute < 6; minute++)
      rig.see(
        process,
        Array.from({ length: 2_600 }, (_, index) => seen(minute * 2_600 + index + 1)),
        start + minute * 60_000,
      )
    const window = { from: start + 60_000, to: start + 4 * 60_000 }
    const tracks = await readWindow(process.id, window, { boxes: false, places: false, patches: false })
    expect(tracks.map(({ trackId }) => trackId)).toEqual(Array.from({ length: 7_800 }, (_, index) => 2_601 + index))
  })

  test('a track that is seen for hours comes back whole', async () => {
    const process = await rig.addProcess()
    const start = rig.clock.now()
    const SIGHTINGS = 130_000
    // More pieces than are read at once.
    for (let frame = 0; frame < SIGHTINGS; frame++) {
      rig.see(process, [seen(1)], start + frame * 100)
      if (frame % 1_000 === 999) await rig.reports.service.find(rig.account, process.id)
    }
    await rig.end(process)
    const [track] = await readWindow(process.id, { from: start, to: start + SIGHTINGS * 100 - 1_000 })
    expect(track!.times).toHaveLength(SIGHTINGS - 10)
    expect(track!.times.every((time, index) => time === start + index * 100)).toBe(true)
  })

  test('a clock that is set back hides nothing, also once the process has ended', async () => {
    const process = await rig.addProcess()
    const start = rig.clock.now()
    // Two writes into one chunk, the second a while before the first.
    for (const at of [start, start - 9 * 60_000]) {
      rig.see(process, [seen(1)], at)
      await read(process.id)
    }
    rig.see(process, [seen(2)], start - 9 * 60_000)
    await rig.end(process)
    const back = start - 9 * 60_000
    expect(await read(process.id)).toMatchObject([
      { trackId: 1, times: [start, back] },
      { trackId: 2, times: [back] },
    ])
    const chunks = await rig.database.db.selectFrom('track_chunk').selectAll().orderBy('track_id').execute()
    expect(chunks).toMatchObject([
      { first_at: back, last_at: start },
      { first_at: back, last_at: back },
    ])
  })

  test('many tracks come page by page, each once', async () => {
    const process = await rig.addProcess()
    const ids = Array.from({ length: 1_203 }, (_, index) => index + 1)
    rig.see(
      process,
      ids.map((id) => seen(id)),
    )
    expect((await read(process.id)).map(({ trackId }) => trackId)).toEqual(ids)
    expect((await rig.reports.service.list(rig.account, { limit: 5 })).items).toMatchObject([{ trackCount: 1_203 }])

    // Removing them lets others have their turn.
    let turns = 0
    const removed = createReportStore(rig.database.db).removeTracks(process.id)
    const counting = setInterval(() => (turns += 1), 0)
    await removed
    clearInterval(counting)
    expect(turns).toBeGreaterThan(1)
    expect([await count('track'), await count('track_chunk')]).toEqual([0, 0])
  })

  test('so do those of a window with more than are looked up', async () => {
    const process = await rig.addProcess()
    const ids = Array.from({ length: 5_200 }, (_, index) => index + 1)
    rig.see(
      process,
      ids.map((id) => seen(id)),
    )
    const wanted = { boxes: false, places: false, patches: false }
    const { tracks } = await rig.reports.service.open(rig.account, process.id, { minutes: 10 }, wanted)
    const listed: number[] = []
    for await (const { trackId } of tracks) listed.push(trackId)
    expect(listed).toEqual(ids)
  })

  test('tracks that retention takes while a report is read are left out, and only those', async () => {
    const process = await rig.addProcess()
    const ids = Array.from({ length: 1_500 }, (_, index) => index + 1)
    rig.see(
      process,
      ids.map((id) => seen(id)),
    )
    await read(process.id)
    const pages = createTrackStore(rig.database.db).pages(process, {
      since: 0,
      until: Number.MAX_SAFE_INTEGER,
      limit: 500,
      wantsBoxes: false,
      wantsPlaces: false,
      wantsPatches: false,
    })
    const listed: number[] = []
    for await (const page of pages) {
      listed.push(...page.map(({ trackId }) => trackId))
      await rig.database.db.deleteFrom('track').where('track_id', '>', 500).where('track_id', '<=', 1_000).execute()
    }
    expect(listed).toEqual(ids.filter((id) => id <= 500 || id > 1_000))
  })

  test('in a long report the few tracks of a window are told, page by page', async () => {
    const process = await rig.addProcess()
    const ids = Array.from({ length: 160 }, (_, index) => index + 1)
    rig.see(
      process,
      ids.map((id) => seen(id)),
    )
    await rig.clock.advance(3_600_000)
    const again = ids.filter((id) => id % 2 === 0)
    for (const id of again) rig.see(process, [seen(id)])
    expect((await read(process.id)).map(({ trackId }) => trackId)).toEqual(again)
  })

  test('a report is there from the start of its process, for keys with the track logger only', async () => {
    const process = await rig.addProcess()
    const without = await rig.addProcess({}, false)
    rig.see(without, [seen(1)])
    expect(await read(process.id)).toEqual([])
    await expect(read(without.id)).rejects.toMatchObject({ code: 'report-not-found' })
    const listed = await rig.reports.service.list(rig.account, { limit: 5 })
    expect(listed.items).toMatchObject([{ id: process.id, trackCount: 0, isLive: true, enhancement: null }])
    expect(await count('track')).toBe(0)
  })

  test('the best picture is shown, and a better one takes its place', async () => {
    const process = await rig.addProcess()
    rig.see(process, [seen(1), seen(2), seen(3)])
    rig.show(process, aTrackPicture(1), aTrackPicture(2), aTrackPicture(1, { role: 'crop', slot: 3 }))
    await read(process.id)
    rig.show(process, aTrackPicture(1, { jpeg: jpegOf('better'), confidence: 0.95 }))
    const [first, second, third] = await read(process.id)
    expect(first!.patch).toEqual({ jpeg: jpegOf('better'), confidence: 95, takenAt: 1_000 })
    expect(second!.patch!.jpeg).toEqual(jpegOf('picture of 2'))
    expect(third!.patch).toBeUndefined()
    expect(filesOf(process.id)).toEqual(['1-crop-3.jpg', '1-patch-0.jpg', '2-patch-0.jpg'])
    expect(await rig.countBytes()).toBe(jpegOf('better').length + 2 * jpegOf('picture of 1').length)
  })

  test('pictures of tracks that are over go to the object store, and those that may still change do not', async () => {
    const process = await rig.addProcess()
    const seenAtMs = rig.clock.now()
    rig.see(process, [seen(1), seen(2)])
    rig.show(process, aTrackPicture(1), aTrackPicture(2))
    await rig.clock.advance(60_000)
    rig.see(process, [seen(2)])
    await read(process.id)
    const pictures = createPictureStore(rig.database.db)
    const listUnstored = async (from: number, to: number) => {
      const found = []
      for await (const some of pictures.listUnstored(from, to)) found.push(...some)
      return found
    }
    const first = { file: `reports/${process.id}/1-patch-0.jpg`, accountId: rig.account.id }
    expect(await listUnstored(0, seenAtMs + 1)).toEqual([first])
    expect(await listUnstored(0, seenAtMs)).toEqual([])
    expect(await listUnstored(seenAtMs + 1, seenAtMs + 30_000)).toEqual([])
    expect(await listUnstored(0, rig.clock.now() + 1)).toHaveLength(2)
    await createStoredFileStore(rig.database.db).insert([{ ...first, kind: 'reports', sizeBytes: 10 }], 0)
    expect(await listUnstored(0, seenAtMs + 1)).toEqual([])
  })

  test('what is no picture any more is not shown as one', async () => {
    const process = await rig.addProcess()
    rig.see(process, [seen(1), seen(2), seen(3), seen(4)])
    rig.show(process, aTrackPicture(1), aTrackPicture(2), aTrackPicture(3), aTrackPicture(4))
    await read(process.id)
    const [empty, other, cut] = filesOf(process.id).map((name) => join(rig.dataDir, 'reports', process.id, name))
    writeFileSync(empty!, '')
    writeFileSync(other!, 'no picture')
    writeFileSync(cut!, jpegOf('picture of 3').subarray(0, 8))
    const shown = (await read(process.id)).filter(({ patch }) => patch)
    expect(shown.map(({ trackId }) => trackId)).toEqual([4])
  })

  test('without room no pictures are kept, and the report goes on', async () => {
    const process = await rig.addProcess()
    rig.setLeftBytes(-1)
    rig.see(process, [seen(1)])
    rig.show(process, aTrackPicture(1))
    expect(await read(process.id)).toMatchObject([{ trackId: 1 }])
    expect(filesOf(process.id)).toEqual([])
    rig.setLeftBytes(1_000)
    await rig.clock.advance(10_000)
    rig.show(process, aTrackPicture(1))
    expect(await read(process.id)).toMatchObject([{ patch: {} }])
  })

  test('pictures are kept within the own share, also when others have used up the budget', async () => {
    const process = await rig.addProcess()
    rig.setLeftBytes(-1, 100)
    rig.see(process, [seen(1)])
    rig.show(process, aTrackPicture(1))
    expect(await read(process.id)).toMatchObject([{ patch: {} }])
  })

  test('a deleted report leaves nothing; that of a living process begins anew', async () => {
    const process = await rig.addProcess()
    const kept = await rig.addProcess()
    for (const one of [process, kept]) {
      rig.see(one, [seen(1)])
      rig.show(one, aTrackPicture(1))
    }
    await read(process.id)
    rig.see(process, [seen(1), seen(2)])
    await rig.reports.service.remove(rig.account, process.id)
    expect(await read(process.id)).toEqual([])
    expect(filesOf(process.id)).toEqual([])
    rig.see(process, [seen(2)])
    expect(await read(process.id)).toMatchObject([{ trackId: 2, times: { length: 1 }, boxes: [[1, 20, 10, 50, 40]] }])

    await rig.end(process)
    await rig.reports.service.remove(rig.account, process.id)
    await expect(read(process.id)).rejects.toMatchObject({ code: 'report-not-found' })
    // What its worker said last comes too late.
    rig.see(process, [seen(3)])
    rig.show(process, aTrackPicture(3))
    expect(await read(kept.id)).toMatchObject([{ trackId: 1, patch: {} }])
    expect(await count('track')).toBe(1)
    expect(filesOf(process.id)).toEqual([])
  })

  test.each(['has ended', 'lives'])(
    'the report of a process that %s is not taken for complete when it is deleted while it is read',
    async (life) => {
      const process = await rig.addProcess()
      const ids = Array.from({ length: 120 }, (_, index) => index + 1)
      rig.see(
        process,
        ids.map((id) => seen(id)),
      )
      await read(process.id)
      if (life === 'has ended') await rig.end(process)
      const { tracks } = await rig.reports.service.open(rig.account, process.id, { minutes: 10 }, everything)
      let listed = 0
      const reading = (async () => {
        for await (const _track of tracks) {
          if (++listed !== 1) continue
          await rig.reports.service.remove(rig.account, process.id)
          // What comes after that does not make up for it.
          if (life === 'lives')
            rig.see(
              process,
              ids.map((id) => seen(id + ids.length)),
            )
          await rig.reports.service.list(rig.account, { limit: 5 })
        }
      })()
      await expect(reading).rejects.toMatchObject({ code: 'report-not-found' })
      expect(listed).toBeLessThan(ids.length)
    },
  )

  test('retention takes what ended long ago, what was seen long ago, and what was left behind', async () => {
    const old = await rig.addProcess()
    const living = await rig.addProcess()
    const recent = await rig.addProcess()
    for (const one of [old, living, recent]) {
      rig.see(one, [seen(1), seen(2)])
      rig.show(one, aTrackPicture(1), aTrackPicture(2))
    }
    await rig.reports.service.find(rig.account, old.id)
    await rig.end(old)
    await rig.clock.advance(30 * DAY_MS)
    await rig.end(recent)
    rig.see(living, [seen(2)])
    await rig.reports.service.find(rig.account, living.id)
    writeFileSync(join(rig.dataDir, 'reports', living.id, '7.partial'), '')
    await rig.clock.advance(DAY_MS)
    await rig.database.db.insertInto('report').values(emptyReport('forgotten')).execute()
    await rig.runRetention()

    const left = await rig.reports.service.list(rig.account, { limit: 5 })
    expect(left.items).toMatchObject([
      { id: recent.id, trackCount: 2 },
      { id: living.id, trackCount: 1 },
    ])
    expect(filesOf(old.id)).toEqual([])
    expect(rig.removedVideos).toEqual([old.id])
    expect(await rig.countBytes()).toBe(3 * jpegOf('picture of 1').length)
    expect(filesOf(recent.id)).toHaveLength(2)
    expect(filesOf(living.id)).toContain('2-patch-0.jpg')
    expect(filesOf(living.id)).not.toContain('1-patch-0.jpg')
    expect(await count('report')).toBe(2)
    expect(await count('track')).toBe(3)
    expect(await read(recent.id)).toMatchObject([{ patch: {} }, { patch: {} }])
  })

  test('picture files without a row are swept, unless they may still get one', async () => {
    const process = await rig.addProcess()
    rig.see(process, [seen(1)])
    rig.show(process, aTrackPicture(1))
    await read(process.id)
    const folder = join(rig.dataDir, 'reports', process.id)
    for (const name of ['7-patch-0.jpg', '8-patch-0.jpg.partial', '9-patch-0.jpg'])
      writeFileSync(join(folder, name), 'x')
    for (const name of ['1-patch-0.jpg', '7-patch-0.jpg', '8-patch-0.jpg.partial']) utimesSync(join(folder, name), 0, 0)
    await rig.runRetention()
    expect(filesOf(process.id).sort()).toEqual(['1-patch-0.jpg', '9-patch-0.jpg'])
  })

  test('a process whose report is deleted while it runs sends its pictures anew', async () => {
    const process = await rig.addProcess()
    await rig.reports.service.remove(rig.account, process.id)
    expect(rig.forgotten).toEqual([process.id])
  })

  test('with a purged key its reports go, also of what still runs', async () => {
    const process = await rig.addProcess()
    rig.see(process, [seen(1)])
    rig.show(process, aTrackPicture(1))
    await read(process.id)
    rig.see(process, [seen(1)])
    await rig.bus.deliver('key-revoked', { accountId: rig.account.id, username: 'admin', purge: true })
    rig.see(process, [seen(1)])
    await rig.reports.service.list(rig.account, { limit: 1 })
    for (const table of ['track', 'track_chunk', 'track_picture', 'report'] as const) expect(await count(table)).toBe(0)
    expect(filesOf(process.id)).toEqual([])
  })
})
