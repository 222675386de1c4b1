import { type FastifyInstance, type FastifySchema } from 'fastify'
import { z } from 'zod'
import { checkInput, fieldsOf, MAX_INPUT_ERRORS, unknownField, unstorableTexts } from '../core/check-input.ts'
import { type InputError } from '../core/errors.ts'
import { nearestWord } from '../core/nearest-word.ts'
import { inputInvalid } from '../core/refusals.ts'

/** Names of parameters that are shorter are too near to each other to be a misspelling. */
const MIN_MISSPELT_LENGTH = 4

/** The names that came, before anything is made of them. */
interface Sent {
  readonly parameters: readonly string[]
  readonly fields: readonly string[]
}

interface Input {
  params: unknown
  query: unknown
  body: unknown
}

/**
 * Checks path, query and body together, so that the client learns at once of everything that is wrong. Fastify would
 * check one after the other, and knows of each only what is in it.
 */
export function addRequestInput(app: FastifyInstance): void {
  app.setValidatorCompiler(() => (value: unknown) => ({ value }))
  app.addHook('preValidation', async (request) => {
    if (request.is404) return
    // A route that says nothing of its input looks at it by itself.
    const { schema = { hide: true }, config } = request.routeOptions
    // What the schemas make of it takes its place.
    const sent: Sent = { parameters: namesOf(request.query), fields: namesOf(request.body) }
    const isMisplaced = ({ path }: InputError) => {
      const name = path.slice('query.'.length)
      return sent.fields.includes(name) && !fieldsOf(schema.body).includes(name)
    }
    const errors = [
      // The rest of a path names what is there or not; its route says so.
      ...check(schema.params, 'params', request, 'path').filter(({ path }) => path !== 'path.*'),
      // A field in a body that does not take it: the body's own error says where it belongs.
      ...check(schema.querystring, 'query', request, 'query').filter((error) => !isMisplaced(error)),
      ...misspeltParameters(schema, sent),
      ...(config.documentedBody ? [] : checkBody(schema, request, sent)),
    ]
    if (errors.length > 0) throw inputInvalid(errors)
  })
}

/** Puts what the schema made of it in the place of what was sent. */
function check(schema: unknown, part: keyof Input, input: Input, place: string): readonly InputError[] {
  if (!(schema instanceof z.ZodType)) return unstorableTexts(input[part], place)
  const { value, errors = [] } = checkInput(schema, input[part], place)
  if (errors.length === 0) input[part] = value
  return errors
}

/** Other parameters are ignored: proxies and pages add their own. What looks like one of ours is reported instead of ignored. */
function misspeltParameters({ querystring }: FastifySchema, { parameters }: Sent): InputError[] {
  const known = fieldsOf(querystring)
  return parameters.slice(0, MAX_INPUT_ERRORS).flatMap((name) => {
    const isUnknown = name.length >= MIN_MISSPELT_LENGTH && !known.includes(name)
    return isUnknown && nearestWord(name, known) ? [unknownField('query', name, known)] : []
  })
}

function checkBody(schema: FastifySchema, input: Input, sent: Sent): readonly InputError[] {
  const inQuery = fieldsOf(schema.querystring)
  const misplaced = (name: string): InputError => ({
    path: `body.${name}`,
    message: `It belongs in the query: ?${name}=…`,
  })
  if (!schema.body) {
    const names = schema.hide ? [] : sent.fields.slice(0, MAX_INPUT_ERRORS)
    return names.map((name) => (inQuery.includes(name) ? misplaced(name) : unknownField('body', name, [])))
  }
  const named = fieldsOf(schema.body)
  return bodyErrors(schema.body, input).map((error) => {
    const name = error.path.slice('body.'.length)
    if (inQuery.includes(name) && !named.includes(name)) return misplaced(name)
    const isInQuery = sent.parameters.includes(name) && !sent.fields.includes(name)
    return isInQuery ? { ...error, message: 'It belongs in the body, not in the query.' } : error
  })
}

/** A client that sent no body learns what belongs in it. */
function bodyErrors(schema: unknown, input: Input): readonly InputError[] {
  const errors = check(schema, 'body', input, 'body')
  if (errors.length === 0 || (input.body ?? undefined) !== undefined) return errors
  const withinEmpty = check(schema, 'body', { ...input, body: {} }, 'body')
  return withinEmpty.length > 0 ? withinEmpty : errors
}

const namesOf = (given: unknown) => (given && typeof given === 'object' ? Object.keys(given) : [])
