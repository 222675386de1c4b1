import { z } from 'zod'
import { type InputError } from './errors.ts'
import { inputSentence } from './input-sentence.ts'
import { nearestWord } from './nearest-word.ts'
import { shortened } from './sentences.ts'
import { findUnstorable } from './storable-text.ts'

/** Names that strangers invent are repeated so far. */
const MAX_NAME_LENGTH = 60
/** Enough to mend a request by; more would only be work for a client that sent nonsense. */
export const MAX_INPUT_ERRORS = 100
const UNSTORABLE = 'It holds a character that cannot be stored (NUL, or half of a surrogate pair); leave that out.'
/** Fewer fields than these are listed for a client that named another one. */
const FEW_FIELDS = 12

export type CheckedInput<T> =
  | { readonly value: T; readonly errors?: undefined }
  | { readonly errors: readonly InputError[]; readonly value?: undefined }

/** Parses what somebody sent. What is wrong with it is said of each place once, and of all places at the same time. */
export function checkInput<T extends z.ZodType>(schema: T, sent: unknown, place: string): CheckedInput<z.output<T>> {
  const fieldsAt = new Map<string, readonly string[]>()
  const alsoMissing: InputError[] = []
  const parsed = schema.safeParse(sent, {
    error(issue) {
      const path = pathOf(place, issue.path ?? [])
      if (issue.code === 'unrecognized_keys') fieldsAt.set(path, fieldsOf(issue.inst))
      if (issue.code === 'invalid_union') alsoMissing.push(...missingOfAll(issue, path))
      if (issue.code === 'invalid_type') alsoMissing.push(...missingWithin(issue, path))
      return inputSentence(issue)
    },
  })
  const unstorable = unstorableTexts(sent, place)
  if (parsed.success) return unstorable.length > 0 ? { errors: unstorable } : { value: parsed.data }
  const errors = parsed.error.issues.flatMap((issue): InputError[] => {
    const path = pathOf(place, issue.path)
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
    return issue.keys.slice(0, MAX_INPUT_ERRORS).map((key) => unknownField(path, key, fieldsAt.get(path) ?? []))
  })
  return { errors: onceForEachPlace([...errors, ...alsoMissing, ...unstorable]) }
}

/** Says of texts that no database would take them, whatever a schema makes of them. */
export function unstorableTexts(sent: unknown, place: string): readonly InputError[] {
  return findUnstorable(sent, MAX_INPUT_ERRORS).map((path) => ({ path: pathOf(place, path), message: UNSTORABLE }))
}

/** Says of a field that there is none, and which was probably meant. */
export function unknownField(place: string, name: string, fields: readonly string[]): InputError {
  const meant = nearestWord(name, fields)
  const listed = fields.length > 0 && fields.length <= FEW_FIELDS ? `; there may be ${fields.join(', ')}` : ''
  const message = meant ? `There is no such field; do you mean ${meant}?` : `There is no such field${listed}.`
  return { path: pathOf(place, [name]), message }
}

/** The names that an object may have; none of what is no object. */
export function fieldsOf(schema: unknown): string[] {
  if (!(schema instanceof z.core.$ZodType)) return []
  const { def } = schema._zod as z.core.$ZodTypeInternals & {
    readonly def: { readonly shape?: object; readonly innerType?: unknown }
  }
  if (def.shape) return Object.keys(def.shape)
  return def.innerType ? fieldsOf(def.innerType) : []
}

function pathOf(place: string, path: readonly PropertyKey[]): string {
  return [place, ...path.map((name) => shortened(String(name), MAX_NAME_LENGTH))].join('.')
}

/** Which kind of object it is was not said; what each kind must have is missing all the same. */
function missingOfAll(issue: z.core.$ZodRawIssue, path: string): InputError[] {
  const { inst, discriminator, input } = issue as {
    readonly inst?: z.core.$ZodType
    readonly discriminator?: string
    readonly input?: unknown
  }
  if (!(inst instanceof z.core.$ZodDiscriminatedUnion) || typeof input !== 'object' || input === null) return []
  const options = inst._zod.def.options.filter((option) => option instanceof z.core.$ZodObject)
  const [first, ...others] = options.map(({ _zod }) => _zod.def.shape)
  const parent = path.slice(0, -`.${discriminator}`.length)
  return Object.entries(first ?? {}).flatMap(([name, field]): InputError[] => {
    const isNeeded = [field, ...others.map((shape) => shape[name])].every((one) => one && one._zod.optin !== 'optional')
    if (!isNeeded || name === discriminator || name in input) return []
    const missing = z.core.safeParse(field, undefined, { error: inputSentence })
    return missing.error ? [{ path: `${parent}.${name}`, message: missing.error.issues[0]!.message }] : []
  })
}

/** An object is not there; what it must have is missing too, and reported with it. */
function missingWithin({ inst, input }: z.core.$ZodRawIssue, path: string): readonly InputError[] {
  if (input !== undefined || !(inst instanceof z.ZodObject)) return []
  return checkInput(inst, {}, path).errors ?? []
}

/** A number may be too small for two rules: the last is the strictest. */
function onceForEachPlace(errors: readonly InputError[]): InputError[] {
  return [...new Map(errors.map((error) => [error.path, error])).values()]
}
