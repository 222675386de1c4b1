import { once } from 'node:events'
import { join } from 'node:path'
import { openInput } from '../src/av/input.ts'
import { decodeFrames } from '../src/pipeline/decode/decode-frames.ts'
import { createVideoDecoder } from '../src/pipeline/decode/video-decoder.ts'
import { createJpegEncoder } from '../src/pipeline/encode/jpeg-encoder.ts'
import { createPictureScaler } from '../src/pipeline/encode/picture-scaler.ts'
import { createVideoEncoder } from '../src/pipeline/encode/video-encoder.ts'
import { type Benchmark, ms } from './benchmark.ts'

const clip = join(import.meta.dirname, '../assets/demo/people-walking.mp4')
const size = { width: 1280, height: 720 }

export const encode: Benchmark = {
  name: 'encode',
  title: 'Encoding',
  about:
    'The demo clip, scaled to 1280×720 and encoded as thirty frames a second: x264 on one thread, and a JPEG of each frame; CPU time, all threads together.',
  async run() {
    const { frames, scaleMs, encodeMs, jpegMs, bits } = await measure()
    const x264Ms = encodeMs / frames
    return [
      { what: 'scaling to 720p, a frame', value: ms(scaleMs / frames) },
      { what: 'x264 at 720p, a frame', value: ms(x264Ms), goal: 'under 8 ms', isMet: x264Ms < 8 },
      { what: 'x264 at 720p, bits a second', value: `${((bits * 30) / frames / 1e6).toFixed(1)} million` },
      { what: 'JPEG at 720p, a frame', value: ms(jpegMs / frames) },
    ]
  },
}

async function measure() {
  const total = { frames: 0, scaleMs: 0, encodeMs: 0, jpegMs: 0, bits: 0 }
  const input = await openInput(clip, { timeoutMs: 5_000 })
  const decoder = createVideoDecoder(input.video!)
  const scaler = createPictureScaler()
  const encoder = createVideoEncoder({ fps: () => 30 })
  const jpegs = createJpegEncoder()
  const done = new EventTarget()
  encoder.subscribe(({ data }) => {
    total.bits += 8 * data.length
    done.dispatchEvent(new CustomEvent('encoded'))
  })
  for await (const decoded of decodeFrames(input, input.video!, decoder)) {
    const picture = await timed('scaleMs', () => scaler.scale(decoded.frame, size))
    decoded.release()
    await timed('encodeMs', async () => {
      const encoded = once(done, 'encoded')
      encoder.encode(picture, (total.frames * 1000) / 30)
      await encoded
    })
    await timed('jpegMs', () => jpegs.encode(picture))
    picture.release()
    total.frames++
  }
  decoder.close()
  await Promise.all([encoder.close(), jpegs.close(), input.close()])
  scaler.close()
  return total

  async function timed<T>(what: 'scaleMs' | 'encodeMs' | 'jpegMs', work: () => T | Promise<T>): Promise<T> {
    const before = process.cpuUsage()
    const result = await work()
    const { user, system } = process.cpuUsage(before)
    total[what] += (user + system) / 1000
    return result
  }
}
