import { type RgbPicture } from '../../src/enhance/picture/rgb-picture.ts'

/** Linear light, 0…1 a channel. */
export type Light = readonly [red: number, green: number, blue: number]

/** What a point shows: its own colour and how brightly it is lit. */
export interface Surface {
  readonly colour: Light
  readonly shade: number
}

export interface Lighting {
  /** The colour of the light: plain daylight is 1, 1, 1. */
  readonly tint?: Light
  readonly exposure?: number
  /** Standard deviation of the sensor's noise, in bytes. */
  readonly noise?: number
  readonly seed?: number
}

export const lightings: Readonly<Record<string, Lighting>> = {
  daylight: {},
  warm: { tint: [1.25, 1, 0.72] },
  cold: { tint: [0.8, 1, 1.28] },
  dim: { exposure: 0.3, noise: 4 },
  noisy: { noise: 12 },
}

/** Draws a scene point by point, x and y from 0 to 1, as a camera sees it: light in linear terms, noise and bytes in sRGB. */
export function renderScene(
  width: number,
  height: number,
  surfaceAt: (x: number, y: number) => Surface,
  { tint = [1, 1, 1], exposure = 1, noise = 2, seed = 1 }: Lighting = {},
): RgbPicture {
  const random = createRandom(seed)
  const rgb = new Uint8Array(3 * width * height)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const { colour, shade } = surfaceAt((x + 0.5) / width, (y + 0.5) / height)
      for (let channel = 0; channel < 3; channel++, at++) {
        const light = Math.min(1, colour[channel]! * shade * tint[channel]! * exposure)
        const byte = 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055)
        rgb[at] = Math.min(255, Math.max(0, Math.round(byte + noise * gaussian(random))))
      }
    }
  }
  return { width, height, rgb }
}

/** `#rrggbb` as light. */
export function lightOf(hex: string): Light {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

/** Numbers from 0 to 1 that are the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Near enough to a normal distribution with a deviation of 1. */
function gaussian(random: () => number): number {
  return (random() + random() + random() + random() - 2) * Math.sqrt(3)
}
