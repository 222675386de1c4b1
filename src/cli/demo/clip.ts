import { openInput } from '../../av/input.ts'
import { splitNalUnits } from '../../media/rtmp/wire/nal-units.ts'
import { h264Format } from '../../media/rtmp/wire/h264-format.ts'

/** A short H.264 clip, whole in memory. */
export interface Clip {
  readonly parameterSets: readonly Buffer[]
  readonly frames: readonly ClipFrame[]
  readonly durationMs: number
}

export interface ClipFrame {
  /** Since the clip's beginning. */
  readonly atMs: number
  readonly nalUnits: readonly Buffer[]
  readonly isKeyframe: boolean
}

export async function loadClip(file: string): Promise<Clip> {
  const input = await openInput(file, { timeoutMs: 5_000 })
  try {
    const { video } = input
    const configuration = video?.codecpar.extradata && h264Format.parseConfiguration(video.codecpar.extradata)
    if (!video || !configuration) throw new Error(`${file} is not an mp4 file with H.264.`)
    const msATick = (video.timeBase.num / video.timeBase.den) * 1000
    const frames: ClipFrame[] = []
    for (let packet = await input.read(); packet; packet = await input.read()) {
      if (packet.streamIndex !== video.index || !packet.data) continue
      // The packet's memory is used again for the next one.
      const nalUnits = splitNalUnits(Buffer.from(packet.data), configuration.lengthSize)
      frames.push({ atMs: Number(packet.pts) * msATick, nalUnits, isKeyframe: packet.isKeyframe })
    }
    const { num, den } = video.avgFrameRate
    return { parameterSets: configuration.parameterSets, frames, durationMs: frames.at(-1)!.atMs + (1000 * den) / num }
  } finally {
    await input.close()
  }
}
