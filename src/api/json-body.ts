import { type FastifyInstance } from 'fastify'
import { AppError } from '../core/errors.ts'
import { createFairStarts } from '../core/fair-starts.ts'
import { jsonFault } from './json-fault.ts'
import { wantedTypeOf } from './problem.ts'

/** Far more than anything here takes. Each is work for the parser and for whoever checks it: a megabyte can hold half a million. */
const MAX_VALUES = 20_000
const FORM = 'application/x-www-form-urlencoded'

/**
 * JSON bodies. An empty one is no body, since many clients send a content type out of habit (curl says that it is a form); keys
 * that would reach a prototype are refused, as they are never meant well.
 *
 * They are parsed in turns, and checked right after: requests that began one after the other may have the ends of their bodies come
 * at once, and 32 of the largest would be two seconds of work in one go.
 */
export function addJsonBody(app: FastifyInstance): void {
  const starts = createFairStarts(Infinity)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, ({ account, ip, raw }, text, done) => {
    if (text.length === 0) return done(null, undefined)
    const read = () => {
      let body: unknown
      try {
        body = parse(text as string)
      } catch (error) {
        return done(error as Error, undefined)
      }
      done(null, body)
    }
    starts.pass(account?.id ?? ip, read, raw.socket)
  })
  app.addContentTypeParser(FORM, { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) done(null, undefined)
    else done(new AppError('media-type-unsupported', { media_type: FORM, wanted: wantedTypeOf(request) }), undefined)
  })
}

function parse(text: string): unknown {
  if (hasTooManyValues(text))
    throw new AppError('request-malformed', { reason: `its body holds more than ${MAX_VALUES} values.` })
  try {
    return JSON.parse(text, refusePrototype)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('json-unparsable', { reason: jsonFault(text, error as Error) }, { cause: error })
  }
}

/** By what begins or follows one; what stands in texts counts too, since nobody looks so closely. */
function hasTooManyValues(text: string): boolean {
  let count = 0
  for (let at = 0; at < text.length && count <= MAX_VALUES; at++) if (SEPARATORS.has(text.charCodeAt(at))) count += 1
  return count > MAX_VALUES
}

const SEPARATORS = new Set([...',[{'].map((character) => character.charCodeAt(0)))

function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new AppError('json-unparsable', { reason: 'the key __proto__ is not accepted.' })
  return value
}
