import { openInput } from '../src/av/input.ts'
import { decodeFrames } from '../src/pipeline/decode/decode-frames.ts'
import { type DecodedFrame } from '../src/pipeline/decode/frame-pool.ts'
import { createVideoDecoder } from '../src/pipeline/decode/video-decoder.ts'

/** People walking: see assets/demo/README.md. */
export const demoClip = { file: 'assets/demo/people-walking.mp4', fps: 7, frames: 168, width: 768, height: 576 }

/** Every picture of the demo clip, valid until the next is asked for. */
export async function* demoFrames(): AsyncGenerator<DecodedFrame, void, undefined> {
  const input = await openInput(demoClip.file, { timeoutMs: 1000 })
  const decoder = createVideoDecoder(input.video!)
  try {
    for await (const frame of decodeFrames(input, input.video!, decoder)) {
      yield frame
      frame.release()
    }
  } finally {
    decoder.close()
    await input.close()
  }
}
