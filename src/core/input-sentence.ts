import { z } from 'zod'

/** More choices than these are left to the documentation. */
const MAX_CHOICES = 20

/**
 * What is wrong with a value, in a sentence that says what to write instead; to be given to zod, whose own words are a validator's
 * ("expected record, received null"). A schema that has a sentence of its own keeps it.
 */
export const inputSentence: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return typeSentence(issue)
    case 'invalid_value':
      return choiceSentence(issue.values, issue.input)
    case 'invalid_union':
      return unionSentence(issue)
    case 'too_small':
      return sizeSentence(issue.origin, Number(issue.minimum), issue.inclusive === false ? 'more than' : 'at least')
    case 'too_big':
      return sizeSentence(issue.origin, Number(issue.maximum), issue.inclusive === false ? 'less than' : 'at most')
    case 'not_multiple_of':
      return `Give a multiple of ${issue.divisor}.`
    case 'invalid_format':
      return formats[issue.format] ?? 'It is not written as it must be; /docs says how.'
    case 'unrecognized_keys':
      return `There is no such field: ${issue.keys.slice(0, MAX_CHOICES).join(', ')}.`
    case 'invalid_key':
      return nameSentence(issue)
    case 'invalid_element':
    case 'custom':
      return 'It is not acceptable; /docs says what is.'
  }
}

/** What is wrong with the name of a field that may have many names. */
function nameSentence({ issues }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidKey>): string {
  const reason = issues[0]?.message
  return reason ? `This is no name for a field: ${reason}` : 'This is no name for a field; /docs says what is.'
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'This is not a uuid, such as 019a8c6e-0f3b-7c52-9d1e-5b7a4c2f8e10.',
  guid: 'This is not a uuid, such as 019a8c6e-0f3b-7c52-9d1e-5b7a4c2f8e10.',
  date: 'Write a date that there is, as in 2026-12-31.',
  datetime: 'Write date and time, as in 2026-12-31T23:59:59Z.',
  url: 'Write a URL, as in https://video.example.org.',
}

/** What to give in place of plain text. */
const formatKinds: Readonly<Record<string, string>> = {
  uuid: 'a uuid',
  guid: 'a uuid',
  date: 'a date, as in 2026-12-31',
  datetime: 'date and time, as in 2026-12-31T23:59:59Z',
  url: 'a URL',
}

function typeSentence({ expected, input, inst }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  const wanted = (inst instanceof z.core.$ZodStringFormat && formatKinds[inst._zod.def.format]) || kinds[expected]
  if (input === undefined) return wanted ? `It is missing: give ${wanted}${requiredFieldsOf(inst)}.` : 'It is missing.'
  if (expected === 'never') return 'It is not taken here; leave it out.'
  if (!wanted) return 'It is not acceptable; /docs says what is.'
  const given = kindOf(input)
  return given === undefined || given === wanted || expected === 'int'
    ? `Give ${wanted}.`
    : `Give ${wanted}, not ${given}.`
}

/** Empty for what is no object, and for one that may be empty. */
function requiredFieldsOf(schema: unknown): string {
  if (!(schema instanceof z.core.$ZodObject)) return ''
  const fields = Object.entries(schema._zod.def.shape).filter(([, field]) => field._zod.optin === undefined)
  const names = fields.slice(0, MAX_CHOICES).map(([name]) => name)
  return names.length > 0 ? ` with ${names.join(', ')}` : ''
}

/** Undefined for what has no name that a user would know: texts that were to be numbers come as `NaN`. */
function kindOf(input: unknown): string | undefined {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'a list'
  return Number.isNaN(input) ? undefined : kinds[typeof input]
}

function choiceSentence(values: readonly unknown[], input: unknown): string {
  const choices =
    values.length === 1
      ? `write ${text(values[0])}`
      : `choose one of ${values.slice(0, MAX_CHOICES).map(text).join(', ')}`
  return input === undefined ? `It is missing: ${choices}.` : `${choices.charAt(0).toUpperCase()}${choices.slice(1)}.`
}

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Unions are of objects that one field distinguishes, or of a few values. */
function unionSentence(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const { discriminator, options, input } = issue as {
    readonly discriminator?: string
    readonly options?: readonly unknown[]
    readonly input?: unknown
  }
  if (discriminator !== undefined && options)
    return choiceSentence(options, (input as Record<string, unknown> | undefined)?.[discriminator])
  const own = issue.errors.flat().find((one) => one.code === 'custom')
  if (own) return own.message
  const choices = issue.errors.flat().flatMap((one) => (one.code === 'invalid_value' ? one.values : []))
  return choices.length > 0 ? choiceSentence(choices, input) : 'It is not acceptable; /docs says what is.'
}

function sizeSentence(origin: string, size: number, comparison: string): string {
  if (origin === 'string')
    return size === 1 && comparison === 'at least' ? 'It is empty.' : `Give ${comparison} ${size} characters.`
  if (origin === 'array' || origin === 'set') return `Give ${comparison} ${size} of them.`
  return `Give ${comparison} ${size}.`
}
