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
