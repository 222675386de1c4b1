import { type HubPath } from '../core/video-output.ts'
import { createRtpLine, TICKS_PER_MS } from './clock-rate.ts'
import { sizeFor } from './encode/output-size.ts'
import { createPictureScaler } from './encode/picture-scaler.ts'
import { createFrameRate } from './frame-rate.ts'
import { type FromWorker } from './messages.ts'
import { createNoPictureWarning } from './no-picture-warning.ts'
import { type Picture } from './picture.ts'
import { createRendition, type Rendition } from './rendition.ts'
import { type OpenSink } from './send/open-sink.ts'

/**
 * The picture as it came, but small, for walls of many. Nothing is drawn on it: it has the RTP timestamps of the source, so
 * a player knows what was seen in each picture.
 */
export interface Preview {
  /** Where it goes; null while nobody looks. */
  setTarget(target: HubPath | null): void
  /** While the source is lost nothing is published: its last pictures would be taken for live ones. */
  setLost(isLost: boolean): void
  show(picture: Picture): void
  readonly isWatched: boolean
  close(): Promise<void>
}

const LINES = 360

export function createPreview(send: (message: FromWorker) => void, openSink: OpenSink): Preview {
  const scaler = createPictureScaler()
  const frameRate = createFrameRate()
  const rtpLine = createRtpLine()
  const warn = createNoPictureWarning('preview', send)
  let rendition: Rendition | undefined
  let wantedTarget: HubPath | null = null
  let isLost = false
  let isClosed = false
  /** Of those that were left. */
  let closing: Promise<void> = Promise.resolve()

  /** Leaves where it is published, and begins anew where it is wanted now. */
  function begin(): void {
    const left = rendition
    rendition = undefined
    if (wantedTarget !== null && !isLost && !isClosed) {
      rendition = createRendition(() => frameRate.fps, openSink)
      rendition.attach({ id: 'preview', lines: LINES, target: wantedTarget }, (_state, sentence) => warn(sentence))
    }
    closing = closing.then(() => left?.close()).catch((error: unknown) => warn((error as Error).message))
  }

  return {
    setTarget(target) {
      wantedTarget = target
      begin()
    },
    setLost(lost) {
      if (lost === isLost) return
      isLost = lost
      begin()
    },
    show({ timeMs, rtpTimestamp, decoded: { frame, width, height } }) {
      frameRate.note(timeMs)
      if (!rendition || rtpTimestamp === null) return
      const ticks = rtpLine(rtpTimestamp)
      if (ticks === undefined) return
      try {
        const small = scaler.scale(frame, sizeFor(height > LINES ? LINES : null, { width, height }))
        try {
          rendition.encode(small, ticks / TICKS_PER_MS)
        } finally {
          small.release()
        }
      } catch (error) {
        warn((error as Error).message)
      }
    },
    get isWatched() {
      return rendition !== undefined
    },
    async close() {
      isClosed = true
      begin()
      await closing
      scaler.close()
    },
  }
}
