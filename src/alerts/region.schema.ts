import { z } from 'zod'
import { toPlane } from './analyses/longitude.ts'
import { boundsOf, isSelfCrossing } from './analyses/polygon.ts'

const fraction = z
  .number()
  .min(0, 'must be a fraction of the picture: 0 is its left or upper edge, 1 its right or lower one')
  .max(1, 'must be a fraction of the picture, 0 to 1; divide pixels by its width or height')
export const PicturePoint = z.tuple([fraction, fraction]).describe('[x, y] as fractions of the picture.')

const latitude = z
  .number()
  .min(-90, 'must be a latitude, −90 to 90')
  .max(90, 'must be a latitude, −90 to 90; it comes first')
const longitude = z.number().min(-180, 'must be a longitude, −180 to 180').max(180, 'must be a longitude, −180 to 180')
export const GeoPlace = z.tuple([latitude, longitude]).describe('[latitude, longitude] in degrees, WGS-84.')

const CORNERS = 'must have at least three corners'
const MANY = 'must have at most 100 corners'
const CROSSES = 'crosses or touches itself; give the corners in the order in which one walks around'

const Polygon = z.strictObject({
  type: z.literal('polygon'),
  points: z
    .array(PicturePoint)
    .min(3, CORNERS)
    .max(100, MANY)
    .superRefine((points, context) => {
      if (points.length >= 3 && isSelfCrossing(points)) context.addIssue({ code: 'custom', message: CROSSES })
    }),
})

const GeoPolygon = z.strictObject({
  type: z.literal('geo_polygon'),
  points: z
    .array(GeoPlace)
    .min(3, CORNERS)
    .max(100, MANY)
    .superRefine((places, context) => {
      if (places.length < 3) return
      const points = toPlane(places)
      const { minX, maxX } = boundsOf(points)
      if (maxX - minX >= 180)
        context.addIssue({ code: 'custom', message: 'spans half the Earth; draw a smaller region' })
      else if (isSelfCrossing(points)) context.addIssue({ code: 'custom', message: CROSSES })
    }),
})

export const Region = z
  .discriminatedUnion('type', [Polygon, GeoPolygon])
  .nullable()
  .default(null)
  .describe(
    'Where it counts: `polygon` in the picture (by the bottom centre of a box), or `geo_polygon` on the ground, which stays there while the camera moves. Null for everywhere.',
  )
export type Region = z.infer<typeof Region>
