import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCuttingWorker } from '../src/clips/cutting-worker.ts'
import { systemClock } from '../src/core/clock.ts'
import { DEFAULT_PICTURE_LIMIT } from '../src/core/picture-limit.ts'
import { type CutOrder } from '../src/cutting/messages.ts'
import { createLog } from '../src/observe/log.ts'
import { ms, type Row } from './benchmark.ts'

const SECONDS = 62
/** In the middle of a group at both ends. */
const FROM_MS = 520
const TO_MS = 60_520

/** Of a worker as the service starts it, from its start to its end, all threads. */
export async function measureClips(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'aerie-bench-'))
  try {
    const file = record(folder)
    return [...(await measure(folder, file, null)), ...(await measure(folder, file, []))]
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** As recorders write them. */
function record(folder: string): string {
  const file = join(folder, 'recorded.mp4')
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=size=1920x1080:rate=25:duration=${SECONDS}`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-g', '25', '-sc_threshold', '0', '-pix_fmt', 'yuv420p'],
    ...['-movflags', 'empty_moov+default_base_moof+frag_keyframe', '-frag_duration', '500000', file],
  ])
  return file
}

async function measure(folder: string, path: string, looks: CutOrder['looks']): Promise<Row[]> {
  const entry = new URL('../dist/cutting/worker.js', import.meta.url)
  const worker = createCuttingWorker({ entry, clock: systemClock, log: createLog({ level: 'silent' }) })
  const order: CutOrder = {
    files: [{ path, startedAtMs: 0, gapMs: null }],
    fromMs: FROM_MS,
    toMs: TO_MS,
    target: join(folder, 'clip'),
    looks,
    maxPicture: DEFAULT_PICTURE_LIMIT,
  }
  const startedMs = performance.now()
  const outcome = await worker.cut(order, () => {}, new AbortController().signal)
  const passedMs = performance.now() - startedMs
  if (outcome.type !== 'done') throw new Error(outcome.sentence)
  const what = `a clip of a minute of 1080p, ${looks ? 'encoded anew, as with boxes' : 'copied'}`
  return [
    looks
      ? { what: `CPU time of ${what}`, value: ms(outcome.cpuMs) }
      : { what: `CPU time of ${what}`, value: ms(outcome.cpuMs), goal: 'less than 3 s', isMet: outcome.cpuMs < 3_000 },
    { what: `time of ${what}`, value: ms(passedMs) },
  ]
}
