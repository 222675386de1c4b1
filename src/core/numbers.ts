/** With so many digits behind the point; never −0. */
export function rounded(value: number, digits: number): number {
  const factor = 10 ** digits
  return Math.round(value * factor) / factor + 0
}

/** Angles are in degrees, as people and messages write them; turning to radians happens where the arithmetic is. */
export const radiansPerDegree = Math.PI / 180

/** The same direction in −180 (included) to 180. */
export function wrapDegrees(angleDeg: number): number {
  // What is in range stays as it was written, to the last digit.
  if (angleDeg >= -180 && angleDeg < 180) return angleDeg
  const turned = (((angleDeg + 180) % 360) + 360) % 360
  return turned - 180
}

/** The same direction as a compass says it: 0 to 360 (left out). */
export function toHeading(angleDeg: number): number {
  const turned = ((angleDeg % 360) + 360) % 360
  // A tiny negative angle plus 360 is 360 in floating point.
  return turned === 360 ? 0 : turned
}

/** How far to turn from one direction to another by the shorter way, positive clockwise. */
export function turnDegrees(fromDeg: number, toDeg: number): number {
  return wrapDegrees(toDeg - fromDeg)
}
