import { openInput } from '../../src/av/input.ts'
import { decodeFrames } from '../../src/pipeline/decode/decode-frames.ts'
import { createVideoDecoder } from '../../src/pipeline/decode/video-decoder.ts'
import { type Picture } from '../../src/pipeline/picture.ts'

/** The pictures of a file as those of a camera would come: taken at the time that they have in it. */
export async function* decodeClip(file: string): AsyncGenerator<Picture, void, undefined> {
  const input = await openInput(file, { timeoutMs: 1000 })
  const decoder = createVideoDecoder(input.video!)
  try {
    for await (const decoded of decodeFrames(input, input.video!, decoder)) {
      const timeMs = decoded.ptsMs!
      const taken = { takenAtMs: timeMs, arrivedMs: timeMs, timeMs, rtpTimestamp: null }
      yield { decoded, ptsSeconds: timeMs / 1000, breaks: 0, ...taken }
    }
  } finally {
    decoder.close()
    await input.close()
  }
}
