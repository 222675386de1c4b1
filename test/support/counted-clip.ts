import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { openInput } from '../../src/av/input.ts'
import { openSegmentFile } from '../../src/media/recording/segment-file.ts'

export interface CountedClipOptions {
  readonly name?: string
  /** Of the first picture. */
  readonly first?: number
  readonly pictures?: number
  /** A keyframe every so many pictures. */
  readonly group?: number
  readonly codec?: 'libx264' | 'libx265'
  /** Of the encoder. */
  readonly encoder?: readonly string[]
  readonly size?: string
  readonly withSound?: boolean
}

/** In pictures a second. */
export const COUNTED_FPS = 25
const STEPS = 100
const DARKEST = 20
const STEP = 2

/**
 * Pictures that count: each is of one brightness, two steps more than the one before, from the beginning again after a hundred. In a
 * recorder's file, below `folder`.
 */
export async function recordCountedClip(folder: string, options: CountedClipOptions = {}): Promise<string> {
  const { name = 'counted', first = 0, pictures = 100, group = 25, codec = 'libx264', size = '160x96' } = options
  const { encoder = ['-bf', '0'], withSound = false } = options
  const source = join(folder, `${name}-source.mp4`)
  const brightness = `geq=lum='${DARKEST}+${STEP}*mod(N+${first},${STEPS})':cb=128:cr=128`
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', `color=gray:size=${size}:rate=${COUNTED_FPS}`],
    ...(withSound ? ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000', '-c:a', 'aac'] : []),
    ...['-vf', `${brightness},format=yuv420p`, '-frames:v', String(pictures), '-t', String(pictures / COUNTED_FPS)],
    ...[
      '-c:v',
      codec,
      '-preset',
      'ultrafast',
      '-crf',
      '10',
      '-g',
      String(group),
      '-keyint_min',
      String(group),
      '-sc_threshold',
      '0',
    ],
    ...[...encoder, source],
  ])
  const file = join(folder, `${name}.mp4`)
  const input = await openInput(source, { timeoutMs: 20_000 })
  const segment = openSegmentFile(file, [...input.streams])
  for (let packet = await input.read(); packet; packet = await input.read())
    segment.write(packet, input.streams[packet.streamIndex]!)
  segment.close()
  await input.close()
  return file
}

/** What the pictures of a file count, as Debian's FFmpeg decodes them; it must not complain. */
export function countsIn(file: string): number[] {
  const brightness = execFileSync(
    'ffmpeg',
    [
      ...['-v', 'error', '-xerror', '-i', file, '-fps_mode', 'passthrough'],
      // As it is stored, whatever the range.
      ...['-vf', `crop=${PIECE}:${PIECE}:32:32,extractplanes=y`, '-f', 'rawvideo', '-'],
    ],
    { maxBuffer: 2 ** 26 },
  )
  const pieces = Array.from({ length: brightness.length / PIECE ** 2 }, (_, index) =>
    brightness.subarray(index * PIECE ** 2, (index + 1) * PIECE ** 2),
  )
  return pieces.map((piece) => {
    const mean = piece.reduce((sum, value) => sum + value, 0) / piece.length
    return Math.round((mean - DARKEST) / STEP)
  })
}

/** The brightness of each of its pixels, as it is stored. */
export function brightnessOf(file: string, picture: number): Buffer {
  const select = `select=eq(n\\,${picture}),extractplanes=y`
  return execFileSync(
    'ffmpeg',
    ['-v', 'error', '-i', file, '-vf', select, '-fps_mode', 'passthrough', '-frames:v', '1', '-f', 'rawvideo', '-'],
    { maxBuffer: 2 ** 26 },
  )
}

/** In pixels, of each picture. */
const PIECE = 16
