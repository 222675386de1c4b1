import { type RgbPicture } from '../../src/enhance/picture/rgb-picture.ts'
import { type Light, type Lighting, lightOf, renderScene, type Surface } from './rendered-scene.ts'
import { type RenderedPlate } from './rendered-plate.ts'

export interface VehicleLook {
  /** `#rrggbb` */
  readonly paint: string
  readonly width?: number
  readonly height?: number
  readonly lighting?: Lighting
  /** Cloudless behind the vehicle, or trees. */
  readonly behind?: 'sky' | 'trees'
  readonly plate?: RenderedPlate
}

const materials = {
  sky: lightOf('#b8d0ec'),
  trees: lightOf('#4a6038'),
  road: lightOf('#7c7c7e'),
  glass: lightOf('#28343c'),
  rubber: lightOf('#161616'),
  lamp: lightOf('#a01818'),
} satisfies Record<string, Light>

/** The back of a car that fills the picture, on a road. */
export function renderVehicle({
  paint,
  width = 200,
  height = 160,
  lighting,
  behind = 'sky',
  plate,
}: VehicleLook): RgbPicture {
  const body = lightOf(paint)
  const surfaceAt = (x: number, y: number): Surface => {
    const onPlate = plate?.at(x, y)
    if (onPlate) return onPlate
    if (isGlass(x, y)) return { colour: materials.glass, shade: 1 + 1.2 * Math.max(0, 0.3 - y) }
    if (isLamp(x, y)) return { colour: materials.lamp, shade: 1 }
    if (isTyre(x, y)) return { colour: materials.rubber, shade: 1 }
    // The roof mirrors the sky, the bumper lies in shade.
    if (isBody(x, y)) return { colour: body, shade: 1.15 - 0.55 * y + (Math.abs(y - 0.47) < 0.01 ? -0.4 : 0) }
    if (y > 0.8 && x > 0.1 && x < 0.9) return { colour: materials.road, shade: 0.25 }
    if (y > 0.42) return { colour: materials.road, shade: 1 + 0.1 * Math.sin(90 * x) * Math.sin(70 * y) }
    return { colour: materials[behind], shade: behind === 'trees' ? 1 + 0.5 * Math.sin(60 * x) * Math.sin(47 * y) : 1 }
  }
  return renderScene(width, height, surfaceAt, lighting)
}

const isGlass = (x: number, y: number) => y > 0.14 && y < 0.4 && Math.abs(x - 0.5) < 0.22 + 0.4 * (y - 0.14)
const isLamp = (x: number, y: number) => y > 0.47 && y < 0.57 && Math.abs(Math.abs(x - 0.5) - 0.36) < 0.05
const isTyre = (x: number, y: number) => y > 0.78 && y < 0.96 && Math.abs(Math.abs(x - 0.5) - 0.32) < 0.07
const isBody = (x: number, y: number) =>
  y > 0.08 && y < 0.86 && Math.abs(x - 0.5) < 0.25 + 0.5 * Math.min(0.35, y - 0.08)
