import { z } from 'zod'
import { familyNamed, familyNames } from './families.ts'
import { type ModelCard } from './model-card.ts'
import { type ModelClasses } from './model-family.ts'
import { MAX_SIDE } from './session-plan.ts'

const text = (maxLength: number) => z.string().trim().min(1).max(maxLength)
const channels = z.tuple([z.number(), z.number(), z.number()])
const side = z.int().min(16).max(MAX_SIDE)
const MAX_CLASSES = 2000

// Lists of classes are written with commas.
const className = text(100)
  .regex(/^[^,]*$/, 'has a comma; write it without')
  // PostgreSQL stores no NUL, and the others have no place in a label.
  .regex(/^\P{Cc}*$/u, 'has a control character; write it without')
const classNumber = z.string().regex(/^\d{1,4}$/, 'is not the number of an output')
const Classes = z
  .union([z.array(className).min(1).max(MAX_CLASSES), z.record(classNumber, className)], {
    error: 'give a list of names, or names by the number of their output, as in {"0": "person"}',
  })
  .refine((classes) => Object.keys(classes).length > 0, 'name at least one class')
  .refine((classes) => highestNumber(classes) < MAX_CLASSES, `numbers go up to ${MAX_CLASSES - 1}`)
  .refine((classes) => {
    const names = Object.values(classes)
    return new Set(names).size === names.length
  }, 'a name stands there twice')

/** `model.json`: what we have to know of a model that is not in its ONNX file. */
export const ModelJson = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'write it with a–z, 0–9, ., _ and -, at most 64 of them'),
    family: z.enum(familyNames, { error: `is not one of ${familyNames.join(', ')}` }),
    classes: Classes,
    licence: text(200),
    attribution: text(1000).optional(),
    description: text(1000).optional(),
    input: z
      .strictObject({
        width: side.optional(),
        height: side.optional(),
        fit: z.enum(['letterbox', 'stretch']).optional(),
        padding: z.int().min(0).max(255).optional(),
        order: z.enum(['rgb', 'bgr']).optional(),
        range: z.number().positive().optional(),
        mean: channels.optional(),
        std: channels.refine((values) => values.every((value) => value > 0), 'must be above 0').optional(),
      })
      .refine(({ width, height }) => (width === undefined) === (height === undefined), 'give both width and height')
      .default({}),
    outputs: z.record(z.string().max(50), text(200)).default({}),
    decoded: z.boolean().default(false),
    nms_iou: z.number().gt(0).max(1).nullable().optional(),
  })
  .refine(({ decoded, family }) => !decoded || family === 'yolox', {
    path: ['decoded'],
    message: 'is only for the family yolox',
  })
export type ModelJson = z.infer<typeof ModelJson>

/** Reads the text of a `model.json`; throws half a sentence that names everything that is wrong with it. */
export function parseModelJson(json: string): ModelCard {
  let content: unknown
  try {
    content = JSON.parse(json)
  } catch (error) {
    throw new Error(`model.json is not JSON (${(error as Error).message})`, { cause: error })
  }
  const parsed = ModelJson.safeParse(content)
  if (!parsed.success) throw new Error(`model.json is wrong: ${parsed.error.issues.map(describeIssue).join('; ')}`)
  return toCard(parsed.data)
}

function toCard({ input, nms_iou, outputs, decoded, ...json }: ModelJson): ModelCard {
  const { width, height, std, ...format } = input
  const family = familyNamed(json.family)
  return {
    name: json.name,
    family,
    inputSize: width === undefined || height === undefined ? undefined : { width, height },
    picture: { ...family.picture, ...defined(format), ...(std && { deviation: std }) },
    classes: toClasses(json.classes),
    areAllClasses: Array.isArray(json.classes),
    maxOverlap: nms_iou === undefined ? family.maxOverlap : nms_iou,
    outputNames: outputs,
    isDecoded: decoded,
    licence: json.licence,
    attribution: json.attribution,
    description: json.description,
  }
}

function toClasses(classes: ModelJson['classes']): ModelClasses {
  const byNumber = new Map(Object.entries(classes).map(([number, name]) => [Number(number), name]))
  return Array.from({ length: highestNumber(classes) + 1 }, (_, id) => {
    const name = byNumber.get(id)
    return name === undefined ? undefined : { id, name }
  })
}

function highestNumber(classes: object): number {
  return Object.keys(classes).reduce((highest, number) => Math.max(highest, Number(number)), -1)
}

function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `there is no field ${issue.keys.join(', ')}`
  const place = issue.path.join('.') || 'it'
  return `${place}: ${issue.code === 'invalid_type' && issue.input === undefined ? 'is missing' : issue.message}`
}
