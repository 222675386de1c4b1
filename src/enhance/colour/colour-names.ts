import { type Lab, linearToLab, rgbToLab } from './oklab.ts'

/** The eleven basic colour terms (Berlin and Kay 1969). */
export const colourNames = [
  ...(['black', 'white', 'grey', 'red', 'orange', 'yellow'] as const),
  ...(['green', 'blue', 'purple', 'pink', 'brown'] as const),
]
export type ColourName = (typeof colourNames)[number]

/** What paint and cloth of each name look like in plain light, from deep to pale. */
const examples: Readonly<Record<ColourName, readonly string[]>> = {
  black: ['000000', '121212', '242424', '303030'],
  white: ['ffffff', 'ececec', 'd4d4d4', 'f0ece0'],
  grey: ['484848', '505458', '6a6a6a', '8c8c8c', 'a8a8a8', '72787e'],
  red: ['ff0000', 'd01c1c', 'a01818', '701014', 'c03c40', 'e0403a'],
  orange: ['ff8000', 'ff9a30', 'e0661a', 'f0a050'],
  yellow: ['ffff00', 'ffe000', 'e8c020', 'd8c458', 'f0e080'],
  green: ['00ff00', '00a000', '108030', '0c4c20', '5c7a30', '90c850', '507858'],
  blue: ['0000ff', '1850d0', '102c80', '14204c', '4c80c8', '80b8e8', '20a0c8', '106080', '405878', '5c7090', '36465e'],
  purple: ['800080', '6020a0', '9060c8', '401860', 'b070d0', '684878'],
  pink: ['ff60b0', 'ffa0c0', 'f0b8c4', 'e080a0', 'f040a0'],
  brown: ['603818', '804c20', '402818', '906838', 'a88058', '785848'],
}

/** Lightness differs by shading alone, so it counts less than hue. */
const LIGHTNESS_WEIGHT = 0.4
/** How far from an example a colour still counts as the same; in OKLab. */
const REACH = 0.028

interface Example extends Lab {
  readonly name: number
}

const allExamples: readonly Example[] = colourNames.flatMap((name, index) =>
  examples[name].map((hex) => {
    const byte = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
    return { name: index, ...rgbToLab(byte(0), byte(2), byte(4)) }
  }),
)

/** How much a colour belongs to each name; the shares add up to 1. */
export function nameShares({ l, a, b }: Lab): Float32Array {
  const shares = new Float32Array(colourNames.length)
  let nearest = Infinity
  const distances = new Float64Array(colourNames.length).fill(Infinity)
  for (const example of allExamples) {
    const distance = (LIGHTNESS_WEIGHT * (l - example.l)) ** 2 + (a - example.a) ** 2 + (b - example.b) ** 2
    if (distance < distances[example.name]!) distances[example.name] = distance
    if (distance < nearest) nearest = distance
  }
  let sum = 0
  for (const [name, distance] of distances.entries())
    sum += shares[name] = Math.exp((nearest - distance) / (2 * REACH ** 2))
  for (let name = 0; name < shares.length; name++) shares[name]! /= sum
  return shares
}

/** Steps a channel: finer than a name is. */
const STEPS = 32
let table: Float32Array | undefined

/** The same from a table, which takes 30 ms to make: for pixels, of linear light 0…1 a channel. Answers where in `table` the shares begin. */
export function createNameTable(): {
  readonly shares: Float32Array
  at(red: number, green: number, blue: number): number
} {
  table ??= makeTable()
  // The table is even in the root of light, as the eye is.
  const step = (light: number) => Math.min(STEPS - 1, Math.floor(Math.sqrt(Math.min(1, Math.max(0, light))) * STEPS))
  return {
    shares: table,
    at: (red, green, blue) => ((step(red) * STEPS + step(green)) * STEPS + step(blue)) * colourNames.length,
  }
}

function makeTable(): Float32Array {
  const shares = new Float32Array(STEPS ** 3 * colourNames.length)
  const light = (step: number) => ((step + 0.5) / STEPS) ** 2
  for (let red = 0, at = 0; red < STEPS; red++)
    for (let green = 0; green < STEPS; green++)
      for (let blue = 0; blue < STEPS; blue++, at += colourNames.length)
        shares.set(nameShares(linearToLab(light(red), light(green), light(blue))), at)
  return shares
}
