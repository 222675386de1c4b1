import { type Box, hasPlate, type Size } from '../../core/detection.ts'
import { type SceneTrack } from '../../core/scene.ts'
import { type TrackPicture } from '../../core/track-picture.ts'
import { cropRegion, sizeWithin } from './crop-region.ts'
import { chooseSlot, CLEARLY_BETTER, minWantedQuality, type View, viewAfter } from './crop-slots.ts'
import { viewWorth } from './view-worth.ts'

/** A frame in which tracks were seen. */
export interface SeenFrame extends Size {
  readonly takenAtMs: number
  /** On a time line that goes on evenly across losses of the source. */
  readonly timeMs: number
  /** Parts of it were lost on the way. */
  readonly isDamaged: boolean
  /** 0…1 */
  sharpnessOf(box: Box): number
  /** Copies a part of the frame at that size; the frame is not needed for it any more. */
  cut(region: Box, size: Size): CutOut
}

/** Pixels of our own. */
export interface CutOut {
  toJpeg(): Promise<Uint8Array>
  release(): void
}

/** Keeps the best pictures of tracks. */
export interface PictureKeeper {
  /** `known` are all tracks that may be seen again: the pictures of others are sent at the next turn, and they are forgotten. */
  see(frame: SeenFrame, tracks: readonly SceneTrack[], known: readonly number[]): void
  /** Sends what is new since the last time. Called about once a second, and before the end. */
  send(): Promise<void>
  /** As if no track had been seen before. What waits is still sent. */
  forget(): void
  /** Sends nothing any more. */
  close(): Promise<void>
}

interface Waiting extends Omit<TrackPicture, 'jpeg'> {
  readonly cutOut: CutOut
  readonly bytes: number
}

interface KeptTrack {
  patchQuality: number
  /** The most that a picture of it could have been worth when it was last measured: sharpness takes away only. */
  maxMeasured: number
  readonly views: View[]
}

const PATCH_SIDE = 256
const CROP_SIDE = 736
/** As large as they get in one message. */
const PICTURES_PER_MESSAGE = 16
/** Made up by the decoder in part, a picture is worth this much of itself. */
const DAMAGED_WORTH = 0.25
/**
 * Where nothing but sharpness could have become better, a frame is looked at only so often: to touch the pixels of a frame at all is
 * the dear part, whatever is then done with them.
 */
const LOOK_EVERY_MS = 500
/** Objects that are measured in one frame; the turn of others comes with the next. */
const MAX_MEASURED = 16

/**
 * Pixels are held only until they are sent, and together take no more than `maxBytes`: about 330 patches of the largest size, of
 * which crops may take three quarters. What doesn't fit is not cut, and its turn comes with a later frame. Beyond the pixels a
 * track costs some hundred bytes until the tracker forgets it, and that follows a thousand at most.
 */
export function createPictureKeeper(
  send: (pictures: readonly TrackPicture[]) => void,
  maxBytes = 32 * 2 ** 20,
): PictureKeeper {
  const kept = new Map<number, KeptTrack>()
  /** By track, role and slot: a better one takes the place of one that was not sent yet. */
  const waiting = new Map<string, Waiting>()
  let heldBytes = 0
  let sending: Promise<void> = Promise.resolve()
  /** The turn after the one under way. */
  let next: Promise<void> | undefined
  let isClosed = false
  let lookedAtMs = -Infinity
  /** With which track the next frame begins, so that everyone's turn comes. */
  let first = 0

  /** Whether its pixels were looked at. */
  function offer(frame: SeenFrame, track: SceneTrack, boxes: readonly Box[], isLook: boolean): boolean {
    const own = kept.get(track.id) ?? { patchQuality: 0, maxMeasured: 0, views: [] }
    kept.set(track.id, own)
    const { timeMs } = frame
    const isVehicle = hasPlate(track.className)
    const wanted = Math.min(
      CLEARLY_BETTER * own.patchQuality,
      isVehicle ? minWantedQuality(own.views, timeMs) : Infinity,
    )
    const unhidden = track.confidence * sizeOf(track.box) * (frame.isDamaged ? DAMAGED_WORTH : 1)
    const minQuality = isLook ? wanted : Math.max(wanted, CLEARLY_BETTER * own.maxMeasured)
    if (unhidden <= minQuality) return false
    const maxQuality = unhidden * viewWorth(track.box, boxes, frame)
    if (maxQuality <= minQuality) return false
    own.maxMeasured = Math.max(own.maxMeasured, maxQuality)
    const quality = maxQuality * frame.sharpnessOf(track.box)
    if (quality > CLEARLY_BETTER * own.patchQuality && keep(frame, track, 'patch', 0, quality))
      own.patchQuality = quality
    const slot = isVehicle ? chooseSlot(own.views, timeMs, quality) : undefined
    if (slot !== undefined && keep(frame, track, 'crop', slot, quality))
      own.views[slot] = viewAfter(own.views[slot], timeMs, quality)
    return true
  }

  /** Whether there was room for it. */
  function keep(
    frame: SeenFrame,
    track: SceneTrack,
    role: TrackPicture['role'],
    slot: number,
    quality: number,
  ): boolean {
    const region = cropRegion(track.box, frame)
    if (!region) return false
    const size = sizeWithin(region, role === 'patch' ? PATCH_SIDE : CROP_SIDE)
    const bytes = 1.5 * size.width * size.height
    const key = `${track.id} ${role} ${slot}`
    const before = waiting.get(key)
    const room = role === 'patch' ? maxBytes : 0.75 * maxBytes
    if (heldBytes - (before?.bytes ?? 0) + bytes > room) return false
    const cutOut = frame.cut(region, size)
    before?.cutOut.release()
    heldBytes += bytes - (before?.bytes ?? 0)
    const { id: trackId, confidence } = track
    waiting.set(key, { trackId, role, slot, takenAtMs: frame.takenAtMs, confidence, quality, cutOut, bytes })
    return true
  }

  async function sendAll(): Promise<void> {
    // The best first: a reader that takes only some takes those.
    const due = [...waiting.values()].sort((a, b) => b.quality - a.quality)
    waiting.clear()
    let pictures: TrackPicture[] = []
    for (const [index, { cutOut, bytes, ...facts }] of due.entries()) {
      try {
        pictures.push({ ...facts, jpeg: await cutOut.toJpeg() })
      } catch {
        // One that cannot be encoded is missed by nobody more than all of them.
      } finally {
        cutOut.release()
        heldBytes -= bytes
      }
      if (pictures.length < PICTURES_PER_MESSAGE && index < due.length - 1) continue
      if (pictures.length > 0) send(pictures)
      pictures = []
    }
  }

  return {
    see(frame, tracks, known) {
      if (isClosed) return
      const isLook = Math.abs(frame.timeMs - lookedAtMs) >= LOOK_EVERY_MS
      if (isLook) lookedAtMs = frame.timeMs
      const boxes = tracks.map(({ box }) => box)
      let measured = 0
      for (let index = 0; index < tracks.length && measured < MAX_MEASURED; index++)
        if (offer(frame, tracks[(first + index) % tracks.length]!, boxes, isLook)) measured++
      first = measured === MAX_MEASURED ? first + measured : 0
      if (kept.size <= known.length) return
      const alive = new Set(known)
      for (const id of kept.keys()) if (!alive.has(id)) kept.delete(id)
    },
    send() {
      next ??= sending = sending.then(() => {
        next = undefined
        return sendAll()
      })
      return next
    },
    forget: () => kept.clear(),
    async close() {
      isClosed = true
      await sending
      for (const { cutOut } of waiting.values()) cutOut.release()
      waiting.clear()
    },
  }
}

/** The side of a square of the same area, in pixels. */
function sizeOf({ width, height }: Box): number {
  return Math.sqrt(width * height)
}
