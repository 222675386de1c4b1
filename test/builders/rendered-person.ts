import { type RgbPicture } from '../../src/enhance/picture/rgb-picture.ts'
import { type Lighting, lightOf, renderScene, type Surface } from './rendered-scene.ts'

export interface PersonLook {
  /** `#rrggbb` */
  readonly upper: string
  readonly lower: string
  readonly width?: number
  readonly height?: number
  readonly lighting?: Lighting
  readonly ground?: string
}

/** Somebody who stands on pavement or grass and fills the picture. */
export function renderPerson({
  upper,
  lower,
  width = 60,
  height = 150,
  lighting,
  ground = '#8c8a86',
}: PersonLook): RgbPicture {
  const [shirt, trousers] = [lightOf(upper), lightOf(lower)]
  const [skin, hair, shoe, floor] = [lightOf('#c89878'), lightOf('#2c2018'), lightOf('#302c2c'), lightOf(ground)]
  const surfaceAt = (x: number, y: number): Surface => {
    const across = Math.abs(x - 0.5)
    // A body is round: its sides are darker.
    const shade = 1 - 1.2 * across
    if (y < 0.07 && across < 0.13) return { colour: hair, shade }
    if (y < 0.16 && across < 0.12) return { colour: skin, shade }
    if (y >= 0.16 && y < 0.5 && across < 0.26) return { colour: shirt, shade: shade * (1 - 0.1 * Math.sin(40 * y)) }
    if (y >= 0.16 && y < 0.52 && across < 0.34) return { colour: skin, shade }
    if (y >= 0.5 && y < 0.92 && across < 0.22 && across > 0.02) return { colour: trousers, shade }
    if (y >= 0.92 && across < 0.24) return { colour: shoe, shade }
    return { colour: floor, shade: 1 + 0.1 * Math.sin(50 * x) * Math.sin(80 * y) }
  }
  return renderScene(width, height, surfaceAt, lighting)
}
