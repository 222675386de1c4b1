import { type Box, type Size } from '../../core/detection.ts'
import { type Picture } from '../picture.ts'
import { cellsOf, createSceneChange, type SceneChange, type SmallGreyPicture } from './scene-change.ts'

/** What of a picture matters here. */
type SeenByScene = Pick<Picture, 'decoded' | 'timeMs' | 'breaks'>

/** Spares the model what shows nothing new, of pictures that come one after the other. */
export interface StillScene {
  /** The next picture, which the others below are about. */
  see(picture: SeenByScene): void
  /** Nothing in it is worth a look. */
  readonly isStill: boolean
  /** Whether a part of it is. */
  isWorthLook(this: void, part: Box): boolean
  /** All that is worth it has been looked at, and this was found. */
  looked(found: readonly { readonly box: Box }[]): void
  /** Where the next picture is worth a look all the same: where things move or are missed; and, for a while, where something is not yet believed. */
  watch(where: { readonly restless: readonly Box[]; readonly tentative: readonly Box[] }): void
}

/** Everything is looked at after so long: for what comes too slowly, or hardly stands out. */
const LOOK_EVERY_MS = { default: 5_000, crowded: 10_000 }
/** Where something has changed. */
const LOOKS_AFTER_CHANGE = 4
/** Where something has changed, for so long as something may be found there: it takes many looks to believe in what is hardly seen. */
const MAX_TENTATIVE_MS = 10_000

interface Watched {
  readonly size: Size
  readonly breaks: number
  readonly change: SceneChange
  /** How often each of its squares is still to be looked at. */
  readonly looks: Uint8Array
  /** When each of them changed. */
  readonly changedMs: Float64Array
  nowMs: number
  /** When all of it was to be looked at last. */
  wholeLookMs: number
}

/** `isCrowded` says that the machine is short of time. */
export function createStillScene(
  greyOf: (decoded: Picture['decoded']) => SmallGreyPicture,
  isCrowded: () => boolean = () => false,
): StillScene {
  let watched: Watched | undefined
  /** Asked for more often than it changes; undefined when it is to be found out anew. */
  let isStill: boolean | undefined

  function begin({ decoded, timeMs, breaks }: SeenByScene): Watched {
    const { width, height } = decoded
    const change = createSceneChange(greyOf(decoded))
    const cells = change.grid.columns * change.grid.rows
    return {
      size: { width, height },
      breaks,
      change,
      looks: new Uint8Array(cells).fill(LOOKS_AFTER_CHANGE),
      changedMs: new Float64Array(cells).fill(timeMs),
      nowMs: timeMs,
      wholeLookMs: timeMs,
    }
  }

  function isSameScene({ size, breaks }: Watched, picture: SeenByScene): boolean {
    const { width, height } = picture.decoded
    return size.width === width && size.height === height && breaks === picture.breaks
  }

  return {
    see(picture) {
      isStill = undefined
      const { decoded, timeMs } = picture
      if (!watched || !isSameScene(watched, picture)) {
        watched = begin(picture)
        return
      }
      const { change, looks, changedMs } = watched
      watched.nowMs = timeMs
      change.compare(greyOf(decoded), (cell) => {
        looks[cell] = LOOKS_AFTER_CHANGE
        changedMs[cell] = timeMs
      })
      const lookEveryMs = isCrowded() ? LOOK_EVERY_MS.crowded : LOOK_EVERY_MS.default
      if (Math.abs(timeMs - watched.wholeLookMs) < lookEveryMs) return
      watched.wholeLookMs = timeMs
      for (let cell = 0; cell < looks.length; cell++) looks[cell] ||= 1
    },
    get isStill() {
      isStill ??= watched?.looks.every((left) => left === 0) ?? false
      return isStill
    },
    isWorthLook(part) {
      if (!watched) return true
      const { change, looks, size } = watched
      return cellsOf(change.grid, part, size).some((cell) => looks[cell]! > 0)
    },
    looked(found) {
      if (!watched) return
      isStill = undefined
      const { change, looks, size } = watched
      const foundIn = new Set(found.flatMap(({ box }) => cellsOf(change.grid, box, size)))
      for (let cell = 0; cell < looks.length; cell++) {
        if (looks[cell] === 0) continue
        change.accept(cell, foundIn.has(cell) ? 'something' : 'nothing')
        looks[cell]! -= 1
      }
    },
    watch({ restless, tentative }) {
      if (!watched) return
      isStill = undefined
      const { change, looks, changedMs, nowMs, size } = watched
      const cellsIn = (boxes: readonly Box[]) => new Set(boxes.flatMap((box) => cellsOf(change.grid, box, size)))
      for (const cell of cellsIn(restless)) looks[cell] ||= 1
      for (const cell of cellsIn(tentative)) if (nowMs - changedMs[cell]! < MAX_TENTATIVE_MS) looks[cell] ||= 1
    },
  }
}
