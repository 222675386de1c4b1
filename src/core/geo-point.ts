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
