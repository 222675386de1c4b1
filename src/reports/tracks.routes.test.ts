import { type FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { aTrackPicture, jpegOf, seen, seenAt } from '../../test/builders/report.ts'
import { dialects } from '../../test/support/databases.ts'
import { createReportRig, type ReportRig } from '../../test/support/report-rig.ts'
import { toZulu } from '../core/clock.ts'
import { type Process } from '../processes/process.ts'
import { isWithin } from './circle.ts'
import { FoundTrackRecord } from './tracks.schema.ts'

type Found = z.infer<typeof FoundTrackRecord>

describe.each(dialects)('tracks on %s', (dialect) => {
  let rig: ReportRig
  let api: FastifyInstance
  let start: number
  beforeEach(async () => {
    rig = await createReportRig(dialect)
    const { account } = rig
    api = await rig.createApi({ admin: account, somebody: { ...account, id: 'somebody', username: 'somebody' } })
    start = rig.clock.now()
  })
  afterEach(async () => {
    await api.close()
    await rig.remove()
  })

  async function ask(url: string, key = 'admin') {
    const response = await api.inject({ method: 'GET', url, headers: { api_key: key } })
    return { status: response.statusCode, link: response.headers.link, body: JSON.parse(response.body) as unknown }
  }
  async function page(url: string, key?: string) {
    const { status, link, body } = await ask(url, key)
    expect(status, JSON.stringify(body)).toBe(200)
    const next = link === undefined ? undefined : /^<(.*)>; rel="next"$/.exec(String(link))![1]!
    return { tracks: z.array(FoundTrackRecord).parse(body), next }
  }
  /** Page by page to the end; every page but the last is full. */
  async function all(query: Readonly<Record<string, string>> = {}, limit = 7): Promise<Found[]> {
    const found: Found[] = []
    let url: string | undefined = `/tracks?${new URLSearchParams({ ...query, limit: String(limit) }).toString()}`
    while (url) {
      const { tracks, next } = await page(url)
      if (next) expect(tracks).toHaveLength(limit)
      found.push(...tracks)
      url = next
    }
    return found
  }
  const namesOf = (tracks: readonly Found[]) => tracks.map((track) => `${track.process_uuid} ${track.track_id}`)
  const zulu = (ms: number) => new Date(ms).toISOString()

  test('a track is listed with its process, source, life and places', async () => {
    const process = await rig.addProcess()
    rig.see(process, [seenAt(1, 48, 11, { confidence: 0.5 }), seen(2, { classId: 3, className: 'car' })], start)
    rig.see(process, [seenAt(1, 48.001, 11, { confidence: 0.75 })], start + 2_000)
    rig.show(process, aTrackPicture(1))
    const { tracks, next } = await page('/tracks')
    const place = { latitude: 48, longitude: 11, altitude: 12, timestamp: start / 1000 }
    const common = {
      process_uuid: process.id,
      source_uuid: process.sourceId,
      alias: null,
      source_alias: null,
      first_seen: start / 1000,
      first_seen_at: toZulu(start),
    }
    expect(tracks).toEqual([
      {
        ...common,
        track_id: 2,
        class_id: 3,
        category_name: 'car',
        class_name: 'car',
        max_confidence: 50,
        last_seen: start / 1000,
        last_seen_at: toZulu(start),
        first_location: null,
        last_location: null,
        enhanced_data: null,
        has_patch: false,
      },
      {
        ...common,
        track_id: 1,
        class_id: 1,
        category_name: 'person',
        class_name: 'person',
        max_confidence: 75,
        last_seen: start / 1000 + 2,
        last_seen_at: toZulu(start + 2_000),
        first_location: place,
        last_location: { ...place, latitude: 48.001, timestamp: start / 1000 + 2 },
        enhanced_data: null,
        has_patch: true,
      },
    ])
    expect(next).toBeUndefined()

    const [without, withPatch] = (await page('/tracks?patches=true')).tracks
    expect(without!.image_patches).toEqual([])
    expect(withPatch!.image_patches).toMatchObject([{ confidence: 90, timestamp: 1 }])
    expect(Buffer.from(withPatch!.image_patches![0]!.image, 'base64')).toEqual(jpegOf('picture of 1'))
  })

  test('pages hold each track once, also while some go on and others come', async () => {
    const process = await rig.addProcess()
    for (let id = 1; id <= 9; id++) rig.see(process, [seen(id)], start + id)
    const first = await page('/tracks?limit=4&api_key=secret')
    expect(first.next).not.toContain('secret')
    rig.see(process, [seen(2), seen(9), seen(10)], start + 5_000)
    const second = await page(first.next!)
    const third = await page(second.next!)
    expect([first, second, third].flatMap(({ tracks }) => tracks.map(({ track_id }) => track_id))).toEqual([
      9, 8, 7, 6, 5, 4, 3, 2, 1,
    ])
    expect(third.next).toBeUndefined()
  })

  test('every combination of filters finds what a look at all of them finds', async () => {
    const random = randomNumbers(7)
    const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]!
    const sources = [randomUUID(), randomUUID()]
    const processes: Process[] = []
    for (let count = 0; count < 4; count++) processes.push(await rig.addProcess({ sourceId: sources[count % 2]! }))
    for (let id = 1; id <= 250; id++) {
      const change = { className: pick(['person', 'car', 'dog']) }
      // Many begin at the same time; most are short, and some last for hours.
      const begin = start + Math.floor(random() * 50) * 60_000
      const end = begin + pick([0, 1, 900, 1_000, 30_000, 3_600_000, 20_000_000])
      const process = pick(processes)
      const track = () =>
        random() < 0.3 ? seen(id, change) : seenAt(id, 48 + random() / 1e3, pick([11, -179.9999, 179.9999]), change)
      rig.see(process, [track()], begin)
      if (end > begin) rig.see(process, [track()], end)
    }
    const everything = await all({}, 1000)
    expect(everything).toHaveLength(250)
    const newestFirst = [...everything].sort(
      (a, b) =>
        b.first_seen - a.first_seen ||
        (a.process_uuid < b.process_uuid ? 1 : a.process_uuid > b.process_uuid ? -1 : b.track_id - a.track_id),
    )
    expect(namesOf(everything)).toEqual(namesOf(newestFirst))

    for (let turn = 0; turn < 40; turn++) {
      // The database answers within one turn of the loop, and the runner has to be heard meanwhile.
      await nextTurn()
      const from = start + Math.floor(random() * 50) * 60_000
      const to = from + pick([1, 1_000, 600_000, 7_200_000])
      const near = { latitude: 48.0005, longitude: pick([11, 180]), radiusM: pick([20, 60, 20_000]) }
      const chosen = {
        from: random() < 0.5 ? from : undefined,
        to: random() < 0.5 ? to : undefined,
        source: random() < 0.3 ? pick(sources) : undefined,
        process: random() < 0.3 ? pick(processes).id : undefined,
        class: random() < 0.3 ? pick(['person', 'car', 'cat']) : undefined,
        near: random() < 0.4 ? near : undefined,
      }
      const expected = everything.filter(
        (track) =>
          (chosen.from === undefined || Math.round(track.last_seen * 1000) >= chosen.from) &&
          (chosen.to === undefined || Math.round(track.first_seen * 1000) < chosen.to) &&
          (chosen.source === undefined || track.source_uuid === chosen.source) &&
          (chosen.process === undefined || track.process_uuid === chosen.process) &&
          (chosen.class === undefined || track.category_name === chosen.class) &&
          (chosen.near === undefined ||
            [track.first_location, track.last_location].some((place) => place && isWithin(near, place))),
      )
      const found = await all(
        {
          ...(chosen.from !== undefined && { from: zulu(chosen.from) }),
          ...(chosen.to !== undefined && { to: zulu(chosen.to) }),
          ...(chosen.source && { source_uuid: chosen.source }),
          ...(chosen.process && { process_uuid: chosen.process }),
          ...(chosen.class && { class: chosen.class }),
          ...(chosen.near && { near: `${near.latitude},${near.longitude},${near.radiusM}` }),
        },
        pick([8, 20, 100]),
      )
      expect(namesOf(found), JSON.stringify(chosen)).toEqual(namesOf(expected))
    }
  })

  test('the few that match are found among many, step by step', async () => {
    const process = await rig.addProcess()
    const MANY = 5_600
    const classOf = (id: number) => (id % 2_500 === 0 ? 'dog' : 'person')
    for (const minute of [0, 1])
      rig.see(
        process,
        Array.from({ length: MANY }, (_, index) => minute * MANY + index + 1).map((id) =>
          seenAt(id, 48 + id / 1e7, 11, { className: classOf(id) }),
        ),
        start + minute * 60_000,
      )
    const dogs = [10_000, 7_500, 5_000, 2_500]
    const idsOf = (tracks: readonly Found[]) => tracks.map(({ track_id }) => track_id)
    expect(idsOf(await all({ class: 'dog', process_uuid: process.id }, 3))).toEqual(dogs)
    expect(idsOf(await all({ class: 'dog', near: '48.0005,11,5000' }, 3))).toEqual(dogs)
    expect(idsOf(await all({ class: 'dog', near: '48.00025,11,1' }, 3))).toEqual([2_500])
    expect(await all({ class: 'cat', near: '48.0005,11,5000' })).toEqual([])
  })

  test('nobody finds somebody else’s, and what is deleted is not found', async () => {
    const process = await rig.addProcess()
    const without = await rig.addProcess({}, false)
    rig.see(process, [seenAt(1, 48, 11)])
    rig.see(without, [seenAt(1, 48, 11)])
    expect(await all()).toHaveLength(1)
    const filters = [
      '',
      `process_uuid=${process.id}`,
      `source_uuid=${process.sourceId}`,
      'class=person',
      'near=48,11,5',
    ]
    for (const filter of filters) {
      expect((await page(`/tracks?${filter}`)).tracks).toHaveLength(1)
      expect((await page(`/tracks?${filter}`, 'somebody')).tracks).toEqual([])
      expect((await page(`/tracks?username=somebody&${filter}`)).tracks).toEqual([])
      expect((await page(`/tracks?username=admin&${filter}`, 'somebody')).tracks).toHaveLength(1)
    }
    // The row is still there when its report is hidden: removing a large one takes a while.
    await rig.database.db.updateTable('process').set({ is_reported: 0 }).where('id', '=', process.id).execute()
    for (const filter of filters) expect((await page(`/tracks?${filter}`)).tracks).toEqual([])
  })

  test('what is wrong is refused with a sentence', async () => {
    const wrong: readonly (readonly [query: string, path: string, message: RegExp])[] = [
      ['near=48,11', 'query.near', /^Write latitude/],
      ['near=91,11,5', 'query.near', /^Write latitude/],
      ['near=48,181,5', 'query.near', /^Write latitude/],
      ['near=48,11,0', 'query.near', /^Write latitude/],
      ['near=48,11,100001', 'query.near', /^Write latitude/],
      ['near=48,11,5,5', 'query.near', /^Write latitude/],
      ['near=48,,5', 'query.near', /^Write latitude/],
      ['near=1e1,NaN,Infinity', 'query.near', /^Write latitude/],
      [`near=${'1'.repeat(10_000)},1,1`, 'query.near', /at most 100/],
      ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'query.to', /later than `from`/],
      ['from=2026-01-01', 'query.from', /time zone/],
      ['source_uuid=camera', 'query.source_uuid', /uuid/],
      ['process_uuid=1', 'query.process_uuid', /uuid/],
      ['class=', 'query.class', /is empty/],
      [`class=${'a'.repeat(101)}`, 'query.class', /at most 100/],
      ['class=%00', 'query.class', /cannot be stored/],
      ['limit=0', 'query.limit', /at least 1/],
      ['limit=1001', 'query.limit', /at most 1000/],
      ['limit=101&patches=true', 'query.limit', /at most 100 tracks/],
      ['cursor=1', 'query.cursor', /`Link` header/],
      ['cursor=1.00000000-0000-0000-0000-000000000000.99999999999999999', 'query.cursor', /`Link` header/],
      ['cursor=019a8c6e-0f3b-7c52-9d1e-5b7a4c2f8e10', 'query.cursor', /`Link` header/],
    ]
    for (const [query, path, message] of wrong) {
      const { status, body } = await ask(`/tracks?${query}`)
      expect(status, query).toBe(422)
      const errors = [{ path, message: expect.stringMatching(message) as string }]
      expect(body).toMatchObject({ code: 'input-invalid', errors })
    }
  })
})

/** The same every time (Lehmer's generator). */
function randomNumbers(seed: number): () => number {
  return () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
}
