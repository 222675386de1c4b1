/**
 * A camera that takes pictures of points on the Earth: the opposite of geolocation, written independently of it, by rotation
 * matrices in the north-east-down frame of aviation and the parametric form of the ellipsoid.
 */
export type Vec = readonly [number, number, number]
export type Matrix = readonly [Vec, Vec, Vec]

export interface Place {
  readonly lat: number
  readonly lon: number
  readonly height: number
}

export interface CameraState extends Place {
  readonly yaw: number
  readonly pitch: number
  readonly roll: number
  readonly hfov: number
  readonly vfov: number
  readonly width: number
  readonly height_px: number
}

const rad = (degrees: number) => (degrees * Math.PI) / 180
const EQUATOR = 6378137
const POLE = 6356752.314245179

/** By the reduced latitude β, tan β = (b/a)·tan φ: the foot on the ellipsoid, then the height along the normal. */
export function earthCentred({ lat, lon, height }: Place): Vec {
  const phi = rad(lat)
  const beta = Math.atan2(POLE * Math.sin(phi), EQUATOR * Math.cos(phi))
  const outward = EQUATOR * Math.cos(beta) + height * Math.cos(phi)
  return [outward * Math.cos(rad(lon)), outward * Math.sin(rad(lon)), POLE * Math.sin(beta) + height * Math.sin(phi)]
}

export function separation(a: Place, b: Place): number {
  const [p, q] = [earthCentred(a), earthCentred(b)]
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
}

const about = {
  x: (angle: number): Matrix => [
    [1, 0, 0],
    [0, Math.cos(angle), -Math.sin(angle)],
    [0, Math.sin(angle), Math.cos(angle)],
  ],
  y: (angle: number): Matrix => [
    [Math.cos(angle), 0, Math.sin(angle)],
    [0, 1, 0],
    [-Math.sin(angle), 0, Math.cos(angle)],
  ],
  z: (angle: number): Matrix => [
    [Math.cos(angle), -Math.sin(angle), 0],
    [Math.sin(angle), Math.cos(angle), 0],
    [0, 0, 1],
  ],
}

const column = (m: Matrix, j: 0 | 1 | 2): Vec => [m[0][j], m[1][j], m[2][j]]
const dot = (a: Vec, b: Vec) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const times = (a: Matrix, b: Matrix): Matrix =>
  [0, 1, 2].map((i) => ([0, 1, 2] as const).map((j) => dot(a[i]!, column(b, j)))) as unknown as Matrix
const transposedTimes = (m: Matrix, v: Vec): Vec => [dot(column(m, 0), v), dot(column(m, 1), v), dot(column(m, 2), v)]

/** From the Earth's frame to north, east, down: turned by the longitude about the axis, then tilted over. */
function toNorthEastDown(lat: number, lon: number, v: Vec): Vec {
  const tilted = times(about.z(rad(lon)), about.y(-rad(lat) - Math.PI / 2))
  return transposedTimes(tilted, v)
}

/** North, east, down from the camera to a place. */
export function offsetTo(from: Place, to: Place): Vec {
  const [p, q] = [earthCentred(from), earthCentred(to)]
  return toNorthEastDown(from.lat, from.lon, [q[0] - p[0], q[1] - p[1], q[2] - p[2]])
}

/** Where in the picture a place appears; undefined behind the camera. */
export function photograph(camera: CameraState, place: Place): readonly [u: number, v: number] | undefined {
  const attitude = times(times(about.z(rad(camera.yaw)), about.y(rad(camera.pitch))), about.x(rad(camera.roll)))
  const [ahead, right, down] = transposedTimes(attitude, offsetTo(camera, place))
  if (ahead <= 0) return undefined
  return [
    camera.width / 2 + ((camera.width / 2) * (right / ahead)) / Math.tan(rad(camera.hfov / 2)),
    camera.height_px / 2 + ((camera.height_px / 2) * (down / ahead)) / Math.tan(rad(camera.vfov / 2)),
  ]
}
