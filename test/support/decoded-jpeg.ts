import '../../src/av/polyfill.ts'
import { AV_CODEC_ID_MJPEG, AVMEDIA_TYPE_VIDEO, CodecParameters, Packet, Rational } from 'node-av'
import { createScaler } from '../../src/pipeline/decode/scaler.ts'
import { type DecodedFrame } from '../../src/pipeline/decode/frame-pool.ts'
import { createVideoDecoder } from '../../src/pipeline/decode/video-decoder.ts'

/** Runs `use` with the decoded picture. */
export async function withJpeg<T>(jpeg: Uint8Array, use: (frame: DecodedFrame) => Promise<T> | T): Promise<T> {
  const codecpar = new CodecParameters()
  codecpar.alloc()
  codecpar.codecType = AVMEDIA_TYPE_VIDEO
  codecpar.codecId = AV_CODEC_ID_MJPEG
  const decoder = createVideoDecoder({ codecpar, timeBase: new Rational(1, 1) })
  const packet = new Packet()
  packet.alloc()
  packet.data = Buffer.from(jpeg)
  const [frame] = decoder.decode(packet)
  try {
    return await use(frame!)
  } finally {
    frame!.release()
    packet.free()
    codecpar.free()
    decoder.close()
  }
}

/** Its size, and the colours of its pixels. */
export function decodedJpeg(jpeg: Uint8Array) {
  return withJpeg(jpeg, ({ frame, width, height }) => {
    const scaler = createScaler()
    const bytes = Buffer.alloc(width * height * 3)
    const target = { bytes, stride: width * 3, size: { width, height } }
    scaler.toRgb(frame, { x: 0, y: 0, width, height }, target)
    scaler.close()
    const rgbAt = (x: number, y: number) => [...bytes.subarray(3 * (y * width + x), 3 * (y * width + x) + 3)]
    return { width, height, rgbAt }
  })
}
