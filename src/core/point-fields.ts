import { type GeoPoint } from './geo-point.ts'
import { rounded } from './rounded.ts'

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
