import { z } from 'zod'

export const Filter = z
  .strictObject({
    classes: z
      .array(z.string().min(1).max(100))
      .min(1, 'name at least one class, or leave the field out for all')
      .max(100)
      .optional()
      .describe('Names of the only classes that count, as `GET /models` lists them.'),
    min_confidence: z.number().min(0).max(100).optional().describe('0 to 100.'),
    min_height_px: z.number().min(0).max(10_000).optional().describe('Of the box, in pixels of the input.'),
    max_distance_m: z
      .number()
      .positive()
      .max(100_000)
      .optional()
      .describe('From the camera. Needs telemetry: what has no distance does not count.'),
  })
  .prefault({})
  .describe('What counts; all of it must hold.')
export type Filter = z.infer<typeof Filter>
