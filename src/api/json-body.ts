import { type FastifyInstance } from 'fastify'
import { AppError } from '../core/errors.ts'
import { createFairStarts } from '../core/fair-starts.ts'
import { wantedTypeOf } from './problem.ts'

/** Far more than anything here takes. Each is work for the parser and for the schema: a megabyte can hold half a million. */
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

/** In longer texts a fault is searched for only where the engine says its place. */
const MAX_SEARCHED_LENGTH = 100_000

/** What is wrong with a text that `JSON.parse` refused, without the engine's words. */
export function jsonFault(text: string, error: Error): string {
  if (error instanceof RangeError) return 'it is nested too deeply.'
  const at = placeOf(text, error)
  if (at === undefined) return 'look for a missing quote, comma or bracket.'
  if (at >= text.length) return 'it ends too early; close every quote and bracket.'
  const place = `character ${at + 1} is wrong there`
  if (text[at] === "'") return `${place}: use double quotes for names and texts.`
  return `${place}; look for a missing quote, comma or bracket before it.`
}

/** The engine does not say the place of every fault: there it is found by the beginnings of the text, each of which is good up to it. */
function placeOf(text: string, error: Error): number | undefined {
  const reported = reportedPlace(text, error)
  if (reported !== undefined) return reported
  if (text.length > MAX_SEARCHED_LENGTH) return undefined
  let good = 0
  let bad = text.length
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (isGoodBeginning(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return bad - 1
}

function reportedPlace(text: string, { message }: Error): number | undefined {
  if (message.startsWith('Unexpected end')) return text.length
  const [, place] = /at position (\d+)/.exec(message) ?? []
  return place === undefined ? undefined : Number(place)
}

function isGoodBeginning(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    return reportedPlace(text, error as Error) === text.length
  }
}
