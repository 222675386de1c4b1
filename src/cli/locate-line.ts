import { z } from 'zod'
import { inputSentence } from '../core/input-sentence.ts'
import { toLocationFields } from '../core/location-fields.ts'
import { DEFAULT_SIZES } from '../core/object-size.ts'
import { standingStill } from '../core/telemetry.ts'
import { locateObject, sightingOf } from '../pipeline/geolocate/locate-object.ts'
import { DEFAULT_UNCERTAINTY } from '../pipeline/geolocate/position-error.ts'
import { type Terrain } from '../pipeline/geolocate/terrain.ts'
import { viewOf } from '../pipeline/geolocate/view.ts'
import { readNative } from '../telemetry/native-format.ts'

const pixels = z.number().int().min(1).max(100_000)

/** What is asked: a pixel, counted from the top left corner of the picture's top left pixel, or a box, or both. */
const Question = z
  .looseObject({
    telemetry: z.unknown(),
    width: pixels,
    height: pixels,
    pixel: z.tuple([z.number(), z.number()]).nullish(),
    class_name: z.string().nullish(),
    bbox: z.tuple([z.number(), z.number(), z.number().min(0), z.number().min(0)]).nullish(),
  })
  .refine(({ pixel, bbox }) => pixel || bbox, 'pixel: [u, v] or bbox: [x, y, width, height] is needed')

const MAX_CHARACTERS = 1_000_000

/** One line of `aerie locate`: the question with the location's fields beside it; null where there is none, and then why. */
export function locateLine(line: string, terrain: Terrain | undefined): object {
  const question = parseLine(line)
  const { width, height, pixel, bbox, class_name: className } = question
  const reading = readNative(question.telemetry, 0)
  if (!('sample' in reading)) throw new Error(`telemetry: ${reading.refusal.sentence}`)
  const telemetry = { values: reading.sample, agesMs: {}, extrapolatedMs: 0, motion: standingStill }
  const view = viewOf(telemetry, { width, height }, terrain !== undefined)
  if (!view) throw new Error('telemetry: sensor_hfov and sensor_vfov are needed.')

  const box = bbox ? { x: bbox[0], y: bbox[1], width: bbox[2], height: bbox[3] } : undefined
  const name = className ?? ''
  const aim = pixel && { aimU: pixel[0], aimV: pixel[1], footU: pixel[0], footV: pixel[1] }
  const sighting = box ? { ...sightingOf(name, box), ...aim } : { className: name, box, ...aim! }
  const { location } = locateObject(sighting, view, { sizes: DEFAULT_SIZES, uncertainty: DEFAULT_UNCERTAINTY, terrain })
  const { telemetry_age_ms: _, ...fields } = toLocationFields(location)
  const nothing = { latitude: null, longitude: null, altitude: null, distance: null }
  return { ...question, ...nothing, ...fields, ...(location.unlocated && { unlocated: location.unlocated }) }
}

function parseLine(line: string): z.infer<typeof Question> {
  if (line.length > MAX_CHARACTERS) throw new Error(`it is longer than ${MAX_CHARACTERS} characters.`)
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw new Error(`it is not JSON: ${(error as Error).message}`, { cause: error })
  }
  const parsed = Question.safeParse(value, { error: inputSentence })
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw new Error(path.length > 0 ? `${path.join('.')}: ${message}` : message)
}
