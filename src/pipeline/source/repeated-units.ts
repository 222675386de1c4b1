import { type AccessUnit } from '../../media/rtp/access-unit.ts'

/**
 * Knows pictures again. Who comes back to a stream gets what was sent since its last keyframe once more; while its publisher
 * stalls that is all that comes, and no sign that the source is back. A publisher that begins anew has other timestamps.
 */
export interface RepeatedUnits {
  /** The stream is opened anew: it may begin with what came before. */
  startReading(): void
  /** To be asked once for each, in their order. */
  isRepeated(unit: Pick<AccessUnit, 'timestamp' | 'nalUnits'>): boolean
}

/** No more are sent again to who comes back. */
const MAX_REMEMBERED = 4_096

export function createRepeatedUnits(): RepeatedUnits {
  let earlier: ReadonlySet<string> = new Set()
  let current = new Set<string>()
  /** After the first new picture nothing is old, whatever a stream's timestamps do. */
  let isRepeating = false

  return {
    startReading() {
      earlier = new Set([...earlier, ...current].slice(-MAX_REMEMBERED))
      current = new Set()
      isRepeating = true
    },
    isRepeated({ timestamp, nalUnits }) {
      const bytes = nalUnits.reduce((sum, { length }) => sum + length, 0)
      const unit = `${timestamp} ${bytes}`
      current.add(unit)
      const [oldest] = current
      if (current.size > MAX_REMEMBERED) current.delete(oldest!)
      isRepeating &&= earlier.has(unit)
      return isRepeating
    },
  }
}
