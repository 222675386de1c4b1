import { createPictureScaler } from './encode/picture-scaler.ts'
import { type ResolutionSetting, sizeFor } from './encode/output-size.ts'
import { createFrameRate } from './frame-rate.ts'
import { type FromWorker } from './messages.ts'
import { type Picture } from './picture.ts'
import { createRendition, type Rendition } from './rendition.ts'
import { createRtpLine, RTP_TICKS_A_MS } from './rtp-line.ts'

/**
 * The picture as it came, but small, for walls of many. Nothing is drawn on it: it has the RTP timestamps of the source, so
 * whoever shows it knows what was seen in each picture.
 */
export interface Preview {
  /** Where on the media server it goes; null while nobody looks. */
  setUrl(url: string | null): Promise<void>
  show(picture: Picture): void
  close(): Promise<void>
}

const LINES = 360
const SETTING: ResolutionSetting = '360p'
export function createPreview(tell: (message: FromWorker) => void): Preview {
  const scaler = createPictureScaler()
  const frameRate = createFrameRate()
  const rtpLine = createRtpLine()
  let rendition: Rendition | undefined
  let warned: string | undefined

  async function leave(): Promise<void> {
    const left = rendition
    rendition = undefined
    await left?.close()
  }

  /** Once for each thing that goes wrong, not once a picture. */
  function warn(error: unknown): void {
    const sentence = `The preview has no picture: ${(error as Error).message}`
    if (sentence !== warned) tell({ type: 'warning', sentence })
    warned = sentence
  }

  return {
    async setUrl(url) {
      const left = leave()
      if (url !== null) {
        rendition = createRendition(() => frameRate.fps)
        rendition.attach({ id: 'preview', lines: LINES, target: { kind: 'hub', url } }, () => {})
      }
      await left
    },
    show({ timeMs, rtpTimestamp, decoded: { frame, width, height } }) {
      frameRate.note(timeMs)
      if (!rendition || rtpTimestamp === null) return
      const ticks = rtpLine(rtpTimestamp)
      if (ticks === undefined) return
      try {
        const small = scaler.scale(frame, sizeFor(height > LINES ? SETTING : null, { width, height }))
        rendition.encode(small, ticks / RTP_TICKS_A_MS)
        small.release()
      } catch (error) {
        warn(error)
      }
    },
    async close() {
      await leave()
      scaler.close()
    },
  }
}
