import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openInput } from '../../src/av/input.ts'
import { type FragmentIndex } from '../../src/core/recorded-time.ts'
import { openSegmentFile } from '../../src/media/recording/segment-file.ts'

export interface RecordedClip {
  /** As a recorder writes it. */
  readonly file: string
  readonly bytes: Buffer
  readonly durationMs: number
  readonly index: FragmentIndex
}

/** Of a moving test picture at 25 pictures a second, with a tone. */
const CODECS = {
  h264: ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2'],
  h265: ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:bframes=2'],
} as const
const SOUNDS = { none: [], aac: ['-c:a', 'aac'], mp3: ['-c:a', 'libmp3lame'], opus: ['-c:a', 'libopus'] } as const

export interface ClipOptions {
  readonly codec?: keyof typeof CODECS
  readonly sound?: keyof typeof SOUNDS
  readonly seconds?: number
  readonly size?: string
  readonly bitsPerSecond?: number
}

/** Real pictures in a recorder's file, below `folder`. */
export async function recordClip(folder: string, options: ClipOptions = {}): Promise<RecordedClip> {
  const { codec = 'h264', sound = 'aac', seconds = 6, size = '192x108', bitsPerSecond } = options
  const source = join(folder, `${codec}-${sound}-${seconds}-source.mp4`)
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25`],
    ...(sound === 'none' ? [] : ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000']),
    ...[
      '-t',
      String(seconds),
      ...CODECS[codec],
      ...(bitsPerSecond ? ['-b:v', String(bitsPerSecond)] : []),
      '-g',
      '50',
      ...SOUNDS[sound],
      '-shortest',
      source,
    ],
  ])
  const file = join(folder, `${codec}-${sound}-${seconds}.mp4`)
  const input = await openInput(source, { timeoutMs: 20_000 })
  const streams = [input.video!, ...input.streams.filter(({ index }) => index !== input.video!.index)]
  const segment = openSegmentFile(file, streams)
  for (let packet = await input.read(); packet; packet = await input.read())
    segment.write(packet, input.streams[packet.streamIndex]!)
  const index = segment.close()!
  await input.close()
  return { file, bytes: readFileSync(file), durationMs: segment.durationMs, index }
}

/** What FFmpeg decodes of a file: a hash of each picture, in the order in which they are shown. */
export function picturesIn(file: string): string[] {
  return hashesIn(file, ['-map', '0:v'])
}

/** The same of its sound: each frame of it. */
export function soundsIn(file: string): string[] {
  return hashesIn(file, ['-map', '0:a', '-c', 'copy'])
}

function hashesIn(file: string, options: readonly string[]): string[] {
  const output = execFileSync('ffmpeg', ['-v', 'error', '-xerror', '-i', file, ...options, '-f', 'framemd5', '-'])
  const lines = output.toString().split('\n')
  return lines.filter((line) => /^\d/.test(line)).map((line) => line.split(',').at(-1)!.trim())
}

/** When pictures are shown, in seconds. */
export function timesIn(file: string, stream: 'v' | 'a'): number[] {
  const args = ['-v', 'error', '-select_streams', stream, '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', file]
  const output = execFileSync('ffprobe', args).toString()
  return output
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number)
    .toSorted((a, b) => a - b)
}

/** Sizes up to 5,000 that repeat themselves late. */
export function uneven(): () => number {
  let size = 1
  return () => (size = (size * 7_919) % 5_003)
}

/** Bytes that come in chunks of these sizes. */
export async function* inChunks(bytes: Buffer, sizeOf: () => number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const size = Math.max(1, sizeOf())
    yield Buffer.from(bytes.subarray(at, at + size))
    at += size
  }
}
