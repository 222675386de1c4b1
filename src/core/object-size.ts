import { z } from 'zod'

/** How large things of a class are, and whether they stand on the ground. Users may change and extend the table. */
export const ObjectSize = z.strictObject({
  size_m: z.number().gt(0).max(1000).describe('In metres, along the side that is measured.'),
  side: z
    .enum(['height', 'longer'])
    .default('height')
    .describe('Which side of the box shows that size: its height, or the longer one.'),
  spread: z
    .number()
    .gt(0)
    .max(2)
    .default(0.3)
    .describe('How much one differs from another: standard deviation as a share of the size.'),
  is_flying: z.boolean().default(false).describe('Flying things are at their box’s centre, not on the ground.'),
})
export type ObjectSize = z.infer<typeof ObjectSize>

export const ObjectSizes = z.record(z.string().min(1).max(100), ObjectSize)
export type ObjectSizes = Readonly<Record<string, ObjectSize>>

const upright = (size_m: number, spread: number): ObjectSize => ({ size_m, side: 'height', spread, is_flying: false })
const flying = (size_m: number, spread: number): ObjectSize => ({ size_m, side: 'longer', spread, is_flying: true })

/**
 * Usual sizes by class name. Vehicles are measured by their height: it hardly depends on how they are turned, while the
 * box's width lies anywhere between their breadth and their length (a car's 1.8 m and 4.5 m).
 */
export const DEFAULT_SIZES: ObjectSizes = {
  person: upright(1.7, 0.1),
  bicycle: upright(1.1, 0.2),
  motorcycle: upright(1.3, 0.2),
  car: upright(1.5, 0.15),
  vehicle: upright(1.6, 0.3),
  truck: upright(3.2, 0.3),
  bus: upright(3.1, 0.15),
  train: upright(4, 0.2),
  boat: upright(3, 0.8),
  dog: upright(0.6, 0.4),
  horse: upright(1.7, 0.2),
  sheep: upright(0.9, 0.2),
  cow: upright(1.5, 0.2),
  drone: flying(0.35, 0.5),
  bird: flying(0.6, 0.6),
  helicopter: flying(13, 0.3),
  airplane: flying(35, 0.6),
  kite: flying(1.5, 0.5),
}
