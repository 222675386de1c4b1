import { AVCOL_RANGE_MPEG, Frame, SoftwareScaleContext } from 'node-av'
import { check } from '../../av/faults.ts'
import { type Size } from '../../core/detection.ts'
import { copyTags, simplifyTags, storedAs } from './colour-tags.ts'
import { createOutputPicturePool, type OutputPicture } from './output-picture.ts'

/** Makes output pictures of decoded ones, whatever their format and size. */
export interface PictureScaler {
  /**
   * The whole picture at that size; to be released. Half a millisecond at 720p, so it is done on the calling thread; the
   * decoded frame is not needed any more when it returns.
   */
  scale(frame: Frame, size: Size): OutputPicture
  /** Output pictures that are still held stay valid until they are released. */
  close(): void
}

export function createPictureScaler(maxHeld?: number, maxIdle?: number): PictureScaler {
  const pool = createOutputPicturePool(maxHeld, maxIdle)
  // Not bound to sizes or formats: it adapts to each picture, and knows the ranges of brightness.
  const context = new SoftwareScaleContext()
  context.allocContext()
  const source = new Frame()
  source.alloc()

  return {
    scale(frame, size) {
      const picture = pool.take(size)
      try {
        check(source.ref(frame))
        convert(context, source, picture.frame)
        copyTags(picture.frame, frame)
        return picture
      } catch (error) {
        picture.release()
        throw error
      } finally {
        source.unref()
      }
    },
    close() {
      context.freeContext()
      source.free()
      pool.close()
    },
  }
}

/** Only the range of brightness changes, to the studio's. */
function convert(context: SoftwareScaleContext, source: Frame, target: Frame): void {
  simplifyTags(source)
  target.colorSpace = storedAs(source.colorSpace)
  target.colorRange = AVCOL_RANGE_MPEG
  simplifyTags(target)
  check(context.scaleFrameSync(target, source))
}
