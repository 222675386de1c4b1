import { rounded } from './numbers.ts'

/**
 * A place on Earth, WGS-84. The altitude is above mean sea level, as every message and record of ours has it.
 *
 * Geometry takes it for the height above the ellipsoid: the geoid lies at most 107 m off, which stretches horizontal lengths
 * by less than 2 in 100,000; differences of altitude, which are what counts, stay as they are.
 */
export interface GeoPoint {
  readonly latitudeDeg: number
  readonly longitudeDeg: number
  readonly altitudeM: number
}

/** A place on Earth as the API writes it. */
export interface PointFields {
  latitude: number
  longitude: number
  altitude: number
}

/** To a tenth of a millimetre, and to a millimetre of height. */
export function toPointFields({ latitudeDeg, longitudeDeg, altitudeM }: GeoPoint): PointFields {
  return {
    latitude: rounded(latitudeDeg, 9),
    longitude: rounded(longitudeDeg, 9),
    altitude: rounded(altitudeM, 3),
  }
}
