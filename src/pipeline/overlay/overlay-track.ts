import { type Box } from '../../core/detection.ts'

/** An object as the overlay shows it. */
export interface OverlayTrack {
  /** 0 when tracking is off. */
  readonly id: number
  readonly className: string
  /** 0…1 */
  readonly confidence: number
  /** In input pixels; may reach out of the picture. */
  readonly box: Box
  /** It was not seen in the last looked-at picture: where it is, is a guess. Drawn with a broken line. */
  readonly isGuessed?: boolean
  /** In degrees, when located. */
  readonly latitude?: number
  readonly longitude?: number
}

/** Of a name; longer ones are cut. */
const MAX_LETTERS = 24

/** “person 12 · 87 %”, and the place on a second line. */
export function labelLines({ id, className, confidence, latitude, longitude }: OverlayTrack): string[] {
  const kind = className.length > MAX_LETTERS ? `${className.slice(0, MAX_LETTERS - 1)}…` : className
  const name = id > 0 ? `${kind} ${id}` : kind
  const first = `${name} · ${Math.round(100 * confidence)} %`
  // Five decimals are about a metre.
  const isLocated = latitude !== undefined && longitude !== undefined
  return isLocated ? [first, `${latitude.toFixed(5)}°, ${longitude.toFixed(5)}°`] : [first]
}
