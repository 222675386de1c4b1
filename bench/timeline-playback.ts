import { linkSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { orderedUuid } from '../src/core/ordered-uuid.ts'
import { fragmentIndexToJson } from '../src/recordings/fragment-json.ts'
import { openDatabase } from '../src/storage/database.ts'
import { launchBrowser } from '../test/support/browser.ts'
import { quantile } from '../test/support/clock-reader.ts'
import { start } from '../test/support/ffmpeg.ts'
import { type RecordedClip, recordClip } from '../test/support/recorded-clip.ts'
import { createInstallation } from '../test/support/service.ts'
import { openVodPage } from '../test/support/vod-page.ts'
import { ms, type Row } from './benchmark.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const MINUTES = 1_440
const TURNS = 10
const MAX_FIRST_PICTURE_MS = 1_000

interface Stretch {
  readonly from: number
  readonly to: number
}

/** What was recorded of a camera in a day, as far as whoever wants to see it waits: one minute of it, 1,440 times. */
export async function measurePlayback(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-bench-playback-'))
  const installation = createInstallation()
  // The files are one on the disk, but counted each.
  const settings = { AERIE_LOG_LEVEL: 'warn', AERIE_DISK_BUDGET: '1TB' }
  const browser = await launchBrowser()
  try {
    const clip = await recordClip(folder, { size: '1280x720', bitsPerSecond: 3_000_000, seconds: 60 })
    const first = await installation.start(settings)
    const rtsp = `rtsp://127.0.0.1:${Number(first.ready['rtsp_port'])}/admin/roof`
    await first.call('POST', '/stream', { body: { alias: 'roof', input_url: rtsp, stream_type: 'rtsp' } })
    await first.stop()
    const day = await fillDay(installation.dataDir, clip)
    const service = await installation.start(settings)
    const urlOf = ({ from, to }: Stretch) => {
      const query = { from: iso(from), to: iso(to), api_key: installation.masterKey }
      return `${service.url}/hls/admin/roof/vod.m3u8?${new URLSearchParams(query).toString()}`
    }
    const vod = await openVodPage(browser, service.url, installation.masterKey)
    const hours = spread(TURNS).map((share) => ({ from: day.from + share * (DAY_MS - HOUR_MS), to: 0 }))
    const pictures: number[] = []
    for (const { from } of hours) pictures.push(await vod.open(urlOf({ from, to: from + HOUR_MS })))
    const whole = await vod.open(urlOf(day))
    const seeks: number[] = []
    for (const share of spread(TURNS)) {
      const startedAt = performance.now()
      await vod.seek(day.from + share * DAY_MS)
      seeks.push(performance.now() - startedAt)
    }
    const byFfmpeg: number[] = []
    for (const share of spread(TURNS)) byFfmpeg.push(await firstByFfmpeg(urlOf(day), (share * DAY_MS) / 1000))
    const [openP95, seekP95] = [worst(pictures), worst(seeks)]
    return [
      row('an hour of a recorded day: first picture in Chromium, p95', openP95, MAX_FIRST_PICTURE_MS),
      row('the whole day: first picture in Chromium', whole, MAX_FIRST_PICTURE_MS),
      {
        what: 'a seek in the whole day, p50 / p95',
        value: `${ms(quantile(seeks.sort(ascending), 0.5))} / ${ms(seekP95)}`,
      },
      {
        what: 'FFmpeg 5.1 begins, seeks to a moment of the day and decodes its picture, p50 / p95',
        value: `${ms(quantile(byFfmpeg.sort(ascending), 0.5))} / ${ms(worst(byFfmpeg))}`,
      },
    ]
  } finally {
    await browser.close()
    await installation.remove()
    rmSync(folder, { recursive: true })
  }
}

const iso = (atMs: number) => new Date(atMs).toISOString()
const ascending = (a: number, b: number) => a - b
const worst = (values: readonly number[]) => quantile(values.toSorted(ascending), 0.95)
/** Places from 0 to 1 that do not follow each other, the same in each run. */
const spread = (count: number) => Array.from({ length: count }, (_, index) => (0.37 + index * 0.618_034) % 1)

function row(what: string, value: number, limit: number): Row {
  return { what, value: ms(value), goal: `under ${ms(limit)}`, isMet: value < limit }
}

/** A day until an hour ago, in files that are links to one. */
async function fillDay(dataDir: string, clip: RecordedClip): Promise<Stretch> {
  const from = Date.now() - HOUR_MS - DAY_MS
  const database = openDatabase(`sqlite:${join(dataDir, 'aerie.db')}`)
  const { db } = database
  try {
    const source = await db.selectFrom('source').select(['id', 'account_id', 'alias']).executeTakeFirstOrThrow()
    const ref = { account_id: source.account_id, source_id: source.id }
    const recordingId = orderedUuid()
    const ended = { started_at: from, ended_at: from + DAY_MS, node_id: null, alias: source.alias }
    const segments = Array.from({ length: MINUTES }, (_, minute) => ({
      ...ref,
      id: orderedUuid(),
      recording_id: recordingId,
      file: `recordings/${source.id}/${recordingId}/${minute}.mp4`,
      started_at: from + minute * MINUTE_MS,
      duration_ms: clip.durationMs,
      size_bytes: clip.bytes.length,
      gap_ms: minute === 0 ? null : 0,
      importance: 0 as const,
      rest_until: null,
      fragments: fragmentIndexToJson(clip.index),
    }))
    mkdirSync(join(dataDir, dirname(segments[0]!.file)), { recursive: true })
    for (const { file } of segments) linkSync(clip.file, join(dataDir, file))
    await db.transaction().execute(async (tx) => {
      await tx
        .insertInto('recording')
        .values({ ...ref, ...ended, id: recordingId })
        .execute()
      for (let at = 0; at < segments.length; at += 100)
        await tx
          .insertInto('recording_segment')
          .values(segments.slice(at, at + 100))
          .execute()
    })
  } finally {
    await database.close()
  }
  return { from, to: from + DAY_MS }
}

async function firstByFfmpeg(url: string, seconds: number): Promise<number> {
  const startedAt = performance.now()
  const args = ['-ss', seconds.toFixed(3), '-i', url, '-frames:v', '1', '-f', 'null', '-']
  const { code, complaints } = await start('ffmpeg', args).finished
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${complaints}`)
  return performance.now() - startedAt
}
