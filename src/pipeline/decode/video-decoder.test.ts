import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Packet } from 'node-av'
import { afterAll, describe, expect, test } from 'vitest'
import { codedH264, codedH265 } from '../../../test/builders/coded-pictures.ts'
import { start } from '../../../test/support/ffmpeg.ts'
import { openInput } from '../../av/input.ts'
import { decodeFrames } from './decode-frames.ts'
import { type DecodedFrame } from './frame-pool.ts'
import { createVideoDecoder, type DecoderOptions, type VideoDecoder } from './video-decoder.ts'

const demoClip = 'assets/demo/people-walking.mp4'
const folder = mkdtempSync(join(tmpdir(), 'decoder-'))
afterAll(() => rmSync(folder, { recursive: true }))

const makeClip = (name: string, size: string, ...encoder: string[]) => encode(name, size, 30, encoder)
/** Large pictures take an encoder long; one that is refused is enough. */
const makeLargeClip = (name: string, ...encoder: string[]) => encode(name, '1920x1080', 5, encoder)

async function encode(name: string, size: string, pictures: number, encoder: readonly string[]): Promise<string> {
  const file = join(folder, name)
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=10`, '-frames:v', String(pictures)]
  const { complaints, code } = await start('ffmpeg', ['-y', ...source, ...encoder, file]).finished
  expect({ code, complaints }).toEqual({ code: 0, complaints: '' })
  return file
}

interface Use {
  readonly options?: DecoderOptions
  /** What becomes of a packet: itself, damaged, or lost. */
  readonly transport?: (packet: Packet, index: number) => Packet | undefined
}

type Seen = Pick<DecodedFrame, 'width' | 'height' | 'ptsMs' | 'isKeyframe' | 'isDamaged'>

async function decodeAll(file: string, use: Use = {}): Promise<{ seen: Seen[]; decoder: VideoDecoder }> {
  const input = await openInput(file, { timeoutMs: 1000 })
  const decoder = createVideoDecoder(input.video!, use.options)
  const seen: Seen[] = []
  let index = 0
  const reader = {
    async read() {
      for (;;) {
        const packet = await input.read()
        const kept = packet && use.transport ? use.transport(packet, index++) : packet
        if (kept || !packet) return kept
      }
    },
  }
  for await (const frame of decodeFrames(reader, input.video!, decoder)) {
    const { width, height, ptsMs, isKeyframe, isDamaged } = frame
    seen.push({ width, height, ptsMs, isKeyframe, isDamaged })
    frame.release()
  }
  decoder.close()
  await input.close()
  return { seen, decoder }
}

const DEEP = { width: 8192, height: 4320, chroma: 3, references: 16, pictures: 3 } as const

describe('createVideoDecoder', () => {
  test('gives every picture of a file in order, with its time', async () => {
    const { seen, decoder } = await decodeAll(demoClip)
    expect(decoder.stats).toEqual({ packets: 168, frames: 168, brokenPackets: 0 })
    seen.forEach(({ ptsMs, isKeyframe, ...facts }, index) => {
      expect(ptsMs).toBeCloseTo((index * 1000) / 7, 0)
      expect(isKeyframe).toBe(index % 7 === 0)
      expect(facts).toMatchObject({ width: 768, height: 576, isDamaged: false })
    })
  })

  test('answers each packet of a live stream without B-frames with its picture', async () => {
    const input = await openInput(demoClip, { timeoutMs: 1000 })
    const decoder = createVideoDecoder(input.video!, { isLive: true })
    for (let index = 0; index < 20; index++) {
      const packet = await input.read()
      const [frame, ...more] = decoder.decode(packet!)
      expect(frame!.pts).toBe(packet!.pts)
      expect(more).toEqual([])
      frame!.release()
    }
    decoder.close()
    await input.close()
  })

  test.each([false, true])('brings B-frames into order (live: %s)', async (isLive) => {
    const clip = await makeClip('b-frames.mp4', '320x240', '-c:v', 'libx264', '-bf', '3', '-pix_fmt', 'yuv420p')
    const { seen } = await decodeAll(clip, { options: { isLive } })
    expect(seen.map(({ ptsMs }) => Math.round(ptsMs!))).toEqual(Array.from({ length: 30 }, (_, index) => index * 100))
  })

  test('waits for a keyframe where a stream starts between two', async () => {
    const { seen } = await decodeAll(demoClip, { transport: (packet, index) => (index < 3 ? undefined : packet) })
    expect(seen).toHaveLength(161)
    expect(seen[0]).toMatchObject({ isKeyframe: true, isDamaged: false })
    expect(seen[0]!.ptsMs).toBeCloseTo(1000, 0)
  })

  test('goes on after packets that are lost or full of rubbish, and counts them', async () => {
    const { seen, decoder } = await decodeAll(demoClip, {
      transport(packet, index) {
        if (index % 20 === 10) return undefined
        if (index % 20 === 15) packet.data = Buffer.alloc(packet.size, 0xa5)
        return packet
      },
    })
    expect(decoder.stats.brokenPackets).toBeGreaterThanOrEqual(8)
    expect(seen.length).toBeGreaterThan(140)
    expect(seen.at(-1)!.isDamaged).toBe(false)
  })

  test.each([
    ['h264', codedH264({ ...DEEP, depth: 10 }), 'yuv444p10le) with 16 references need 3729 MB of memory'],
    ['hevc', codedH265({ ...DEEP, depth: 12 }), 'yuv444p12le) with 6 references need 1536 MB of memory'],
  ])('%s whose pictures would fill the memory is refused after the first of them', async (demuxer, bytes, sentence) => {
    const file = join(folder, `deep.${demuxer}`)
    writeFileSync(file, bytes)
    const input = await openInput(file, { timeoutMs: 1000, demuxer })
    const decoder = createVideoDecoder(input.video!)
    const reading = (async () => {
      for await (const frame of decodeFrames(input, input.video!, decoder)) frame.release()
    })()
    await expect(reading).rejects.toThrow(sentence)
    expect(decoder.stats.packets).toBe(1)
    decoder.close()
    await input.close()
  })

  test.each([
    ['H.264', 'mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']],
    [
      'H.265',
      'mp4',
      ['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-x265-params', 'log-level=error'],
    ],
    ['MJPEG', 'avi', ['-c:v', 'mjpeg', '-strict', 'unofficial', '-pix_fmt', 'yuv420p']],
  ])('%s that is larger than it says, or than it was, is refused with both sizes', async (name, extension, encoder) => {
    const limit = { width: 640, height: 360 }
    const sentence = 'A picture of 1920×1080 pixels is too large: up to 640×360 are taken'
    const file = await makeLargeClip(`${name}.${extension}`, ...encoder)
    await expect(decodeAll(file, { options: { limit } })).rejects.toThrow(sentence)
    const input = await openInput(file, { timeoutMs: 1000 })
    const { codecpar } = input.video!
    Object.assign(codecpar, { width: 320, height: 240 })
    const decoder = createVideoDecoder(input.video!, { limit })
    const reading = (async () => {
      for await (const frame of decodeFrames(input, input.video!, decoder)) frame.release()
    })()
    await expect(reading).rejects.toThrow(sentence)
    decoder.close()
    await input.close()
  })

  test('a decoder that forgets what it refused says so without the size', async () => {
    const limit = { width: 640, height: 360 }
    const input = await openInput(await makeLargeClip('old.avi', '-c:v', 'mpeg4'), { timeoutMs: 1000 })
    Object.assign(input.video!.codecpar, { width: 320, height: 240 })
    const decoder = createVideoDecoder(input.video!, { limit })
    const packet = (await input.read())!
    expect(() => [...decoder.decode(packet)]).toThrow('A picture is too large: up to 640×360 are taken')
    decoder.close()
    await input.close()
  })

  test('a picture as large as the limit is taken, whatever its shape', async () => {
    const file = await makeClip('tower.mp4', '180x1280', '-c:v', 'libx264', '-pix_fmt', 'yuv420p')
    const { seen } = await decodeAll(file, { options: { limit: { width: 640, height: 360 } } })
    expect(seen).toHaveLength(30)
  })

  test('follows a change of the picture’s size in the middle of a stream', async () => {
    const encoder = ['-c:v', 'libx264', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p']
    const small = await openInput(await makeClip('small.avi', '320x240', ...encoder), { timeoutMs: 1000 })
    const large = await openInput(await makeClip('large.avi', '638x358', ...encoder), { timeoutMs: 1000 })
    const decoder = createVideoDecoder(small.video!)
    const sizes = new Set<string>()
    for (const input of [small, large]) {
      for (let packet = await input.read(); packet; packet = await input.read()) {
        for (const frame of decoder.decode(packet)) {
          sizes.add(`${frame.width}x${frame.height}`)
          frame.release()
        }
      }
      await input.close()
    }
    expect([...sizes]).toEqual(['320x240', '638x358'])
    expect(decoder.stats.frames).toBe(60)
    decoder.close()
  })

  test('hands out the pixels of each picture, whatever the memory held before', async () => {
    const input = await openInput(demoClip, { timeoutMs: 1000 })
    const decoders = [createVideoDecoder(input.video!), createVideoDecoder(input.video!)]
    const held: DecodedFrame[] = []
    for (let index = 0; index < 10; index++) {
      const packet = (await input.read())!
      const [[reused], [fresh]] = decoders.map((decoder) => [...decoder.decode(packet)]) as [
        DecodedFrame[],
        DecodedFrame[],
      ]
      const planes = reused!.frame.data!.map((plane, at) => plane.equals(fresh!.frame.data![at]!))
      expect(planes).toEqual([true, true, true])
      reused!.release()
      held.push(fresh!)
    }
    held.forEach((frame) => frame.release())
    decoders.forEach((decoder) => decoder.close())
    await input.close()
  })

  test('refuses to let pictures pile up that nobody releases', async () => {
    const input = await openInput(demoClip, { timeoutMs: 1000 })
    const decoder = createVideoDecoder(input.video!, { maxHeld: 2 })
    const frames: DecodedFrame[] = []
    const fill = async () => {
      for await (const frame of decodeFrames(input, input.video!, decoder)) frames.push(frame)
    }
    await expect(fill()).rejects.toThrow('2 pictures are held at once; release those that are done with.')
    frames.forEach((frame) => frame.release())
    decoder.close()
    await input.close()
  })

  test('keeps a picture until its last holder has released it, also beyond its own end', async () => {
    const input = await openInput(demoClip, { timeoutMs: 1000 })
    const decoder = createVideoDecoder(input.video!)
    const [frame] = decoder.decode((await input.read())!)
    const before = Buffer.from(frame!.frame.data![0]!)
    frame!.retain()
    frame!.release()
    decoder.close()
    await input.close()
    expect(frame!.frame.data![0]!.equals(before)).toBe(true)
    frame!.release()
    expect(() => frame!.release()).toThrow('released twice')
  })

  test('says which video it cannot decode', async () => {
    const input = await openInput(demoClip, { timeoutMs: 1000 })
    const { codecpar, timeBase } = input.video!
    codecpar.codecId = 99_999 as never
    expect(() => createVideoDecoder({ codecpar, timeBase })).toThrow(/cannot be decoded here; send H.264 or H.265/)
    await input.close()
  })
})
