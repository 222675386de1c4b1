import { z } from 'zod'

export const LensName = z.enum(['wide', 'zoom', 'ir'])
export type LensName = z.infer<typeof LensName>

/**
 * A vendor's camera by the type number of its payload, and the horizontal field of view of its whole picture. How much is seen vertically follows from the
 * picture: streams keep the sensor's width and cut its height.
 */
export const PayloadLens = z.strictObject({
  payload_type: z.number().int().min(0).max(65_535).describe('The first number of the payload’s index, as in 99-0-0.'),
  lens: LensName,
  hfov: z.number().gt(0).lt(180).describe('In degrees, at zoom 1; for thermal cameras, of the whole picture.'),
})
export type PayloadLens = z.infer<typeof PayloadLens>
