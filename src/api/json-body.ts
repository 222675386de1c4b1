import { type FastifyInstance } from 'fastify'
import { AppError } from '../core/errors.ts'
import { jsonFault } from './json-fault.ts'
import { wantedTypeOf } from './problem.ts'

/** Far more than anything here takes. Each is work for the parser and for whoever checks it: a megabyte can hold half a million. */
const MAX_VALUES = 20_000
const FORM = 'application/x-www-form-urlencoded'

/**
 * JSON bodies. An empty one is no body, since many clients send a content type out of habit (curl says that it is a form); keys
 * that would reach a prototype are refused, as they are never meant well.
 */
export function addJsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text.length === 0) return done(null, undefined)
    if (hasTooManyValues(text as string))
      return done(
        new AppError('request-malformed', { reason: `its body holds more than ${MAX_VALUES} values.` }),
        undefined,
      )
    try {
      done(null, JSON.parse(text as string, refusePrototype))
    } catch (error) {
      done(
        error instanceof AppError
          ? error
          : new AppError('json-unparsable', { reason: jsonFault(text as string, error as Error) }, { cause: error }),
        undefined,
      )
    }
  })
  app.addContentTypeParser(FORM, { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) done(null, undefined)
    else done(new AppError('media-type-unsupported', { media_type: FORM, wanted: wantedTypeOf(request) }), undefined)
  })
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
