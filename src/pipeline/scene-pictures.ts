import { type Clock, systemClock } from '../core/clock.ts'
import { type Size } from '../core/detection.ts'
import { type SceneTrack } from '../core/scene.ts'
import { createJpegEncoder } from './encode/jpeg-encoder.ts'
import { type OutputPicture } from './encode/output-picture.ts'
import { createPictureScaler } from './encode/picture-scaler.ts'
import { type FromWorker } from './messages.ts'
import { createOverlay } from './overlay/overlay.ts'
import { toOverlayTracks } from './overlay-tracks.ts'
import { type Picture } from './picture.ts'
import { sizeWithin } from './pictures/crop-region.ts'

/**
 * Pictures of whole frames with the box of one track, or with all boxes, to be requested a moment after the frame: the last two seconds are held,
 * small and not encoded. Nothing is held while nobody may ask.
 */
export interface ScenePictures {
  setWanted(isWanted: boolean): void
  /** The picture is held no longer than the call. */
  see(picture: Picture, tracks: readonly SceneTrack[]): void
  /**
   * Sends the frame with the track that is nearest to that time, or with null the one with any; or that there is none, when it is gone or
   * too many are asked for.
   */
  request(trackId: number | null, takenAtMs: number): void
  close(): Promise<void>
}

const MAX_SIDE = 640
/** At most 6 MB, of square pictures: 600 kB each. */
const MAX_FRAMES = 10
const HOLD_EVERY_MS = 200
/** What is asked for waits for its turn, so that encoding takes a small share of a core however much is found. */
const ENCODE_EVERY_MS = 200
const MAX_REQUESTS = 16
/** All that are held, those that left the ring and are still to be encoded, and the one that is drawn. */
const MAX_PICTURES = MAX_FRAMES + MAX_REQUESTS + 1

interface HeldFrame {
  readonly takenAtMs: number
  readonly inputSize: Size
  readonly tracks: readonly SceneTrack[]
  readonly small: OutputPicture
}

interface Request {
  readonly trackId: number | null
  readonly takenAtMs: number
  readonly frame: HeldFrame
}

export function createScenePictures(
  send: (message: FromWorker) => void,
  initiallyWanted: boolean,
  clock: Clock = systemClock,
): ScenePictures {
  const scaler = createPictureScaler(MAX_PICTURES, 4)
  const encoder = createJpegEncoder()
  const overlay = createOverlay()
  const closing = new AbortController()
  /** Oldest first. */
  const frames: HeldFrame[] = []
  const requests: Request[] = []
  let isWanted = initiallyWanted
  let heldAtMs = -Infinity
  let working: Promise<void> | undefined

  const answer = ({ trackId, takenAtMs }: Omit<Request, 'frame'>, jpeg: Buffer | null) =>
    send({ type: 'scene-picture', picture: { trackId, takenAtMs, jpeg } })

  async function encode({ trackId, frame }: Request): Promise<Buffer | undefined> {
    const shown = frame.tracks.filter((track) => isShown(track, trackId))
    // Others may ask for the same frame with another box: it is drawn on a copy.
    const drawn = scaler.scale(frame.small.frame, frame.small)
    try {
      overlay.draw(drawn.planes, { inputSize: frame.inputSize, tracks: toOverlayTracks(shown) })
      return await encoder.encode(drawn)
    } finally {
      drawn.release()
    }
  }

  async function work(): Promise<void> {
    // What is taken out is released here; what is left at the close, there.
    while (requests.length > 0 && !closing.signal.aborted) {
      const next = requests.shift()!
      const jpeg = await encode(next).catch(() => undefined)
      next.frame.small.release()
      answer(next, jpeg ?? null)
      await clock.sleep(ENCODE_EVERY_MS, closing.signal)
    }
    working = undefined
  }

  /** Who has just come is what alerts ask for next: the frame is held at once, or there would be none with its box. */
  const isHeld = (trackId: number) => frames.some(({ tracks }) => tracks.some(({ id }) => id === trackId))

  function dropFrames(count: number): void {
    for (const { small } of frames.splice(0, count)) small.release()
  }

  return {
    setWanted(wanted) {
      isWanted = wanted
      if (!wanted) dropFrames(frames.length)
    },
    see({ decoded: { frame, width, height }, takenAtMs }, tracks) {
      const nowMs = clock.steady()
      if (!isWanted || tracks.length === 0) return
      if (nowMs - heldAtMs < HOLD_EVERY_MS && tracks.every(({ id }) => isHeld(id))) return
      heldAtMs = nowMs
      const inputSize = { width, height }
      dropFrames(frames.length - MAX_FRAMES + 1)
      frames.push({ takenAtMs, inputSize, tracks, small: scaler.scale(frame, sizeWithin(inputSize, MAX_SIDE)) })
    },
    request(trackId, takenAtMs) {
      if (closing.signal.aborted) return
      const distance = (frame: HeldFrame) => Math.abs(frame.takenAtMs - takenAtMs)
      const seen = frames.filter(({ tracks }) => tracks.some((track) => isShown(track, trackId)))
      const frame = seen.sort((a, b) => distance(a) - distance(b))[0]
      if (!frame || requests.length >= MAX_REQUESTS) return answer({ trackId, takenAtMs }, null)
      frame.small.retain()
      requests.push({ trackId, takenAtMs, frame })
      working ??= work()
    },
    async close() {
      isWanted = false
      closing.abort()
      await working
      for (const { frame } of requests.splice(0)) frame.small.release()
      dropFrames(frames.length)
      await encoder.close()
      scaler.close()
    },
  }
}

const isShown = ({ id }: SceneTrack, trackId: number | null) => trackId === null || id === trackId
