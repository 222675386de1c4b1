import { AVERROR_EAGAIN, Codec, CodecContext, type CodecParameters, Frame, type Packet } from 'node-av'
import { checkDecoderMemory, checkRefusedPacket, limitPictures } from '../../av/limited-decoder.ts'
import { checkPictureSize, type PictureLimit } from '../../core/picture-limit.ts'

/** Decodes up to the first picture, which is enough to know that there is one. Throws a `PictureTooLargeError` beyond the limit. */
export interface PictureDecoder {
  readonly context: CodecContext
  /** The picture, once there is one; it stays valid until `free`. */
  readonly picture: Frame | undefined
  decode(packet: Packet): Promise<void>
  free(): void
}

export function createPictureDecoder(parameters: CodecParameters, limit: PictureLimit): PictureDecoder {
  checkPictureSize(parameters, limit)
  const codec = Codec.findDecoder(parameters.codecId)
  if (!codec) throw new Error('Its video codec is not known here.')
  const context = new CodecContext()
  context.allocContext3(codec)
  context.parametersToContext(parameters)
  limitPictures(context, limit)
  context.open2Sync(codec, null)
  const frame = new Frame()
  frame.alloc()
  let hasPicture = false

  return {
    context,
    get picture() {
      return hasPicture ? frame : undefined
    },
    async decode(packet) {
      if (hasPicture) return
      const sent = await context.sendPacket(packet)
      if (sent < 0 && sent !== AVERROR_EAGAIN)
        return checkRefusedPacket(context, packet, { limit, hadSize: parameters.width > 0 })
      checkDecoderMemory(context, limit)
      hasPicture = (await context.receiveFrame(frame)) >= 0
      if (hasPicture) checkPictureSize(frame, limit)
    },
    free() {
      frame.free()
      context.freeContext()
    },
  }
}
