import { type Picture } from '../../src/pipeline/picture.ts'
import { createOutputPicturePool } from '../../src/pipeline/encode/output-picture.ts'

export interface GreyPicture extends Picture {
  /** How many hold it; the memory is freed when nobody does. */
  readonly holders: () => number
}

/** A decoded picture with real, grey pixels. */
export function aGreyPicture({
  timeMs = 0,
  rtpTimestamp = null as number | null,
  width = 1280,
  height = 720,
} = {}): GreyPicture {
  const pool = createOutputPicturePool(1)
  const grey = pool.take({ width, height })
  const { frame, planes } = grey
  for (const plane of [planes.y, planes.u, planes.v]) plane.fill(128)
  let holders = 1
  const decoded: Picture['decoded'] = {
    frame,
    width,
    height,
    pts: undefined,
    ptsMs: timeMs,
    isKeyframe: true,
    isDamaged: false,
    retain: () => void holders++,
    release() {
      if (--holders > 0) return
      grey.release()
      pool.close()
    },
  }
  const times = { takenAtMs: timeMs, arrivedMs: timeMs, timeMs, rtpTimestamp }
  return { ...times, decoded, ptsSeconds: timeMs / 1000, breaks: 0, holders: () => holders }
}
