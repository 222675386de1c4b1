/** Pictures for the models of our own, drawn point by point: what is where, as red, green and blue. */
export type Rgb = readonly [number, number, number]

/** Where a drawing stands in its picture, and how large: pixels. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
}

/** A quadcopter seen from the side, dark before a sky that is brighter towards the horizon. `x` and `y` are its middle. */
export function droneInTheSky({ x, y, width }: Place, pictureHeight: number): (px: number, py: number) => Rgb {
  const unit = width / 2
  return (px, py) => {
    const height = py / pictureHeight
    const sky: Rgb = [70 + 60 * height, 110 + 60 * height, 170 + 40 * height]
    return isDrone((px - x) / unit, (py - y) / unit) ? [70, 70, 75] : sky
  }
}

/** In units of half its width, from its middle. */
function isDrone(u: number, v: number): boolean {
  const isBody = (u / 0.34) ** 2 + (v / 0.24) ** 2 < 1
  const isArm = Math.abs(u) < 0.8 && Math.abs(v + 0.12) < 0.08
  const isMotor = Math.abs(Math.abs(u) - 0.72) < 0.09 && v > -0.34 && v < 0.02
  const isRotor = Math.abs(Math.abs(u) - 0.68) < 0.32 && Math.abs(v + 0.36) < 0.06
  const isLeg = Math.abs(Math.abs(u) - 0.3 - 0.25 * v) < 0.06 && v > 0.1 && v < 0.5
  return isBody || isArm || isMotor || isRotor || isLeg
}

/** People seen from above by a thermal camera: small and warm on grey ground. `places` are their middles. */
export function peopleOnThermal(
  places: readonly { readonly x: number; readonly y: number }[],
): (px: number, py: number) => Rgb {
  const grey = (value: number): Rgb => [value, value, value]
  return (px, py) => {
    const isWarm = places.some(({ x, y }) => ((px - x) / 6) ** 2 + ((py - y) / 11) ** 2 < 1)
    return isWarm ? grey(235) : grey(110 + 4 * Math.sin(px / 37) + 4 * Math.sin(py / 23))
  }
}

/** White cars from straight above, each on a road of its own from left to right, with a shadow. `places` are their middles. */
export function carsFromAbove(
  places: readonly { readonly x: number; readonly y: number }[],
  length = 42,
): (px: number, py: number) => Rgb {
  const unit = length / 2
  const colourAt = (px: number, py: number): Rgb => {
    const near = places.find(({ y }) => Math.abs(py - y) < 0.55 * length)
    if (!near) return [88, 106, 69]
    const [u, v] = [(px - near.x) / unit, (py - near.y) / unit]
    const isWindow = (u > 0.12 && u < 0.4 && Math.abs(v) < 0.34) || (u > -0.8 && u < -0.6 && Math.abs(v) < 0.32)
    if (isCar(u, v)) return isWindow ? [50, 55, 60] : [225, 225, 228]
    return isCar(u - 0.1, v - 0.2) ? [56, 56, 62] : [125, 125, 125]
  }
  return softened(colourAt)
}

/** In units of half its length, from its middle: a rectangle with round corners. */
function isCar(u: number, v: number): boolean {
  return Math.hypot(Math.max(0, Math.abs(u) - 0.8), Math.max(0, Math.abs(v) - 0.22)) < 0.2
}

/** With edges as soft as those of a camera's pictures. */
function softened(colourAt: (px: number, py: number) => Rgb): (px: number, py: number) => Rgb {
  const offsets = [-0.6, 0, 0.6]
  return (px, py) => {
    const points = offsets.flatMap((dy) => offsets.map((dx) => colourAt(px + dx, py + dy)))
    const mean = (channel: 0 | 1 | 2) => points.reduce((sum, point) => sum + point[channel], 0) / points.length
    return [mean(0), mean(1), mean(2)]
  }
}
