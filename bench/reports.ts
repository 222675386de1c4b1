import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { diskOnly } from '../test/builders/disk-only.ts'
import { orderedUuid } from '../src/core/ordered-uuid.ts'
import { createProcessStore } from '../src/processes/processes.store.ts'
import { createPictureFiles } from '../src/reports/picture-files.ts'
import { createPictureStore } from '../src/reports/pictures.store.ts'
import { createTrackStore } from '../src/reports/tracks.store.ts'
import { openDatabase } from '../src/storage/database.ts'
import { aProcess } from '../test/builders/process.ts'
import { jpegOf, sceneOf, seenAt } from '../test/builders/report.ts'
import { type RunningService } from '../test/support/installation.ts'
import { createInstallation } from '../test/support/service.ts'
import { type Benchmark, ms, type Row } from './benchmark.ts'
import { measureTrackSearch } from './track-search.ts'

const TRACKS = 10_000
const SIGHTINGS = 50
/** Tracks that are seen at the same time. */
const CROWD = 500
const PATCH_BYTES = 8_000
const GOAL_MS = 1_000

export const reports: Benchmark = {
  name: 'reports',
  title: 'Track reports',
  about: `The report of a process that saw ${TRACKS} tracks, each ${SIGHTINGS} times and with a patch of ${PATCH_BYTES / 1000} kB, read over HTTP by one client. The median of three. Then pages of 100 tracks by \`/tracks\` in a database with a million, and how long the process was held up meanwhile.`,
  async run() {
    const installation = createInstallation()
    try {
      const service = await installation.start({ AERIE_LOG_LEVEL: 'warn' })
      const { processId, writeMs } = await fill(installation.dataDir)
      const plain = await measure(service, `/process/${processId}/tracks?patches=false`)
      const withPatches = await measure(service, `/process/${processId}/tracks`)
      const below = (value: number) => ({ value: ms(value), goal: '< 1 s', isMet: value < GOAL_MS })
      const perSecond = Math.round((TRACKS * SIGHTINGS * 1000) / writeMs)
      const rows: Row[] = [
        { what: 'first byte, without patches', ...below(plain.firstMs) },
        { what: `whole, without patches (${megabytes(plain.bytes)})`, ...below(plain.wholeMs) },
        { what: 'first byte, with patches', ...below(withPatches.firstMs) },
        { what: `whole, with patches (${megabytes(withPatches.bytes)})`, value: ms(withPatches.wholeMs) },
        { what: 'sightings written a second', value: String(perSecond) },
      ]
      return [...rows, ...(await measureTrackSearch())]
    } finally {
      await installation.remove()
    }
  },
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`

/** Writes a finished process with its report into the service's own database. */
async function fill(dataDir: string): Promise<{ processId: string; writeMs: number }> {
  const database = openDatabase(`sqlite:${join(dataDir, 'aerie.db')}`)
  const { db } = database
  const { id: accountId } = await db.selectFrom('account').select('id').executeTakeFirstOrThrow()
  const base = aProcess({ id: orderedUuid(), accountId, state: 'finished', startedAt: 1, stoppedAt: Date.now() })
  const process = { ...base, options: { ...base.options, isReported: true } }
  const account = { id: accountId, limits: { maxProcesses: 100 } }
  await createProcessStore(db).insertWithinLimits(account as never, process)

  const tracks = createTrackStore(db)
  const files = createPictureFiles(dataDir, diskOnly(dataDir))
  const pictures = createPictureStore(db)
  const start = Date.now() - 300_000
  let writeMs = 0
  for (let first = 1; first <= TRACKS; first += CROWD) {
    const ids = Array.from({ length: CROWD }, (_, index) => first + index)
    const scenes = Array.from({ length: SIGHTINGS }, (_, frame) =>
      sceneOf(
        start + first * 20 + frame * 100,
        ids.map((id) => seenAt(id, 48 + id / 1e5, 11 + frame / 1e5, { confidence: ((id + frame) % 100) / 100 })),
      ),
    )
    const lastFrame = { takenAt: scenes.at(-1)!.takenAtMs, heardAt: Date.now() }
    const began = performance.now()
    await tracks.write([{ processId: process.id, scenes, lastFrame }])
    writeMs += performance.now() - began
    const rows = await Promise.all(
      ids.map((trackId) =>
        files.write(process.id, {
          trackId,
          role: 'patch',
          slot: 0,
          takenAtMs: start,
          confidence: 0.9,
          quality: 1,
          jpeg: jpegOf(randomBytes(PATCH_BYTES - 4)),
        }),
      ),
    )
    await pictures.put(rows)
  }
  await database.close()
  return { processId: process.id, writeMs }
}

interface Timing {
  readonly firstMs: number
  readonly wholeMs: number
  readonly bytes: number
}

async function measure(service: RunningService, path: string): Promise<Timing> {
  const timings: Timing[] = []
  for (let turn = 0; turn < 3; turn++) {
    const began = performance.now()
    const response = await service.call('GET', path)
    if (!response.ok || !response.body) throw new Error(await response.text())
    let firstMs: number | undefined
    let bytes = 0
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      firstMs ??= performance.now() - began
      bytes += chunk.length
    }
    timings.push({ firstMs: firstMs ?? 0, wholeMs: performance.now() - began, bytes })
  }
  return timings.sort((a, b) => a.wholeMs - b.wholeMs)[1]!
}
