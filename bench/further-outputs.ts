import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { openInput } from '../src/av/input.ts'
import { decodeFrames } from '../src/pipeline/decode/decode-frames.ts'
import { createVideoDecoder } from '../src/pipeline/decode/video-decoder.ts'
import { createPictureScaler } from '../src/pipeline/encode/picture-scaler.ts'
import { type OutputPicture } from '../src/pipeline/encode/output-picture.ts'
import { OPERATOR_RULES } from '../src/outbound/rules.ts'
import type * as Renditions from '../src/pipeline/rendition.ts'
import type * as Sinks from '../src/pipeline/send/open-sink.ts'
import { type ProcessRig } from '../test/support/process-rig.ts'
import { until } from '../test/support/until.ts'
import { built } from './built.ts'

const clip = join(import.meta.dirname, '../assets/demo/people-walking.mp4')
const size = { width: 1280, height: 720 }
const FURTHER = 7
const ROUNDS = 5
const PICTURES = 168
/** Different ones; as many as are ever held at once. */
const HELD = 20
/** As fast as one encodes without dropping. */
const EVERY_MS = 16

/** What each further path costs that gets a rendition, as a part of what the first one costs with its encoding; the median of some rounds. */
export async function costOfFurther(rig: ProcessRig): Promise<number> {
  const { createRendition } = await built<typeof Renditions>('pipeline/rendition')
  const { createSinkOpener } = await built<typeof Sinks>('pipeline/send/open-sink')
  const pictures = await scaledClip()
  const shares: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const one = await cpuFor(1)
    const all = await cpuFor(1 + FURTHER)
    shares.push((all - one) / FURTHER / one)
  }
  for (const picture of pictures) picture.release()
  return shares.sort((a, b) => a - b)[ROUNDS >> 1]!

  async function cpuFor(paths: number): Promise<number> {
    const rendition = createRendition(() => 1000 / EVERY_MS, createSinkOpener(OPERATOR_RULES))
    const sending = new Set<string>()
    for (let path = 0; path < paths; path += 1) {
      const id = `further-${path}`
      const url = `rtsp://127.0.0.1:${rig.rtsp}/admin/${id}?api_key=${rig.installation.masterKey}`
      rendition.attach(
        { id, lines: 720, target: { kind: 'hub', path: `admin/${id}`, url } },
        (state) => state === 'sending' && sending.add(id),
      )
    }
    let shown = 0
    const show = () => rendition.encode(pictures[shown % HELD]!, shown++ * EVERY_MS)
    // Connections begin at a keyframe.
    await until(async () => (show(), sending.size === paths), 10_000)
    const before = process.cpuUsage()
    for (let picture = 0; picture < PICTURES; picture += 1) {
      show()
      await sleep(EVERY_MS)
    }
    const { user, system } = process.cpuUsage(before)
    await rendition.close()
    return user + system
  }
}

async function scaledClip(): Promise<OutputPicture[]> {
  const input = await openInput(clip, { timeoutMs: 5_000 })
  const decoder = createVideoDecoder(input.video!)
  const scaler = createPictureScaler()
  const pictures: OutputPicture[] = []
  for await (const decoded of decodeFrames(input, input.video!, decoder)) {
    if (pictures.length < HELD) pictures.push(scaler.scale(decoded.frame, size))
    decoded.release()
  }
  decoder.close()
  await input.close()
  return pictures
}
