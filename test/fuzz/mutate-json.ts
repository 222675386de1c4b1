import { mutate } from './mutate.ts'
import { type Random } from './random.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

const ODD_VALUES: readonly Json[] = [
  ...[null, true, false, 0, -0, -1, 1, 0.5, 1e-320, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 64, 90.0000001, 360.1, 1e21],
  ...['', ' ', '0', '-1', 'NaN', 'null', '\0', '\ud800', 'é\u202e', '../../etc', 'a,b', '2030-13-45', '<b>', '%s'],
  ...[[], {}, [[]], [null], { '': null }, [1, 2, 3], ['', ''], { length: -1 }],
]
const MAX_DEPTH = 10_000
const NAMES = ['', 'constructor', 'toString', 'length', 'id', 'type', 'data', '0', '-1', 'é']

/** The bytes of a document of which a few values, names or lists are others; sometimes it is no document any more. */
export function mutateJson(document: Json, random: Random): Buffer {
  let changed = document
  for (let left = random.pick([0, 1, 1, 2, 4]); left > 0 && isSmall(changed); left--)
    changed = changeSomewhere(changed, random)
  const text = Buffer.from(writeJson(changed, random))
  return random.oneIn(8) ? mutate(text, random) : text
}

/** What is repeated again and again would not even fit into memory. */
const isSmall = (document: Json) => JSON.stringify(document).length < 50_000

/** One change, at any depth. */
function changeSomewhere(value: Json, random: Random): Json {
  if (typeof value !== 'object' || value === null || random.oneIn(6)) return changeHere(value, random)
  return Array.isArray(value)
    ? changeList(value as readonly Json[], random)
    : changeObject(value as { readonly [name: string]: Json }, random)
}

function changeList(list: readonly Json[], random: Random): Json {
  if (list.length === 0) return [random.pick(ODD_VALUES)]
  const at = random.below(list.length)
  if (random.oneIn(6)) return list.toSpliced(at, 1)
  if (random.oneIn(8)) return repeated(list, random.pick([20, 300]))
  return list.with(at, changeSomewhere(list[at]!, random))
}

function changeObject(object: { readonly [name: string]: Json }, random: Random): Json {
  const entries = Object.entries(object)
  const at = random.below(entries.length)
  const [name, inside] = entries[at] ?? ['', null]
  switch (random.below(8)) {
    case 0:
      return Object.fromEntries(entries.toSpliced(at, 1))
    case 1:
      return Object.fromEntries([...entries, [random.pick(NAMES), random.pick(ODD_VALUES)]])
    case 2:
      return Object.fromEntries(entries.toSpliced(at, 1, [random.pick(NAMES), inside]))
    default:
      return Object.fromEntries(entries.toSpliced(at, 1, [name, changeSomewhere(inside, random)]))
  }
}

function changeHere(value: Json, random: Random): Json {
  switch (random.below(7)) {
    case 0:
      return nested(value, random.pick([1, 3, 30, 300]), random.oneIn(2))
    case 1:
      return JSON.stringify(value)
        .slice(0, 40)
        .repeat(random.pick([1, 2, 50, 1_000]))
    case 2:
      return typeof value === 'number' ? value * random.pick([-1, 10, 1e6, 1e-6]) : [value, value]
    default:
      return random.pick(ODD_VALUES)
  }
}

function repeated(list: readonly Json[], times: number): Json[] {
  return Array.from({ length: times }, (_, at) => list[at % list.length]!)
}

function nested(value: Json, depth: number, isList: boolean): Json {
  let result = value
  for (let left = depth; left > 0; left--) result = isList ? [result] : { data: result }
  return result
}

/** As clients write it: names may stand there twice, and one of them is no name like others in JavaScript. */
function writeJson(value: Json, random: Random): string {
  const text = JSON.stringify(value)
  // Deeper than a program that walks through it by calling itself can go.
  if (random.oneIn(100)) return `${'{"data":['.repeat(MAX_DEPTH)}${text}${']}'.repeat(MAX_DEPTH)}`
  if (!text.startsWith('{') || text === '{}') return text
  if (random.oneIn(12)) return `{"__proto__":${JSON.stringify(random.pick(ODD_VALUES))},${text.slice(1)}`
  return random.oneIn(12) ? `${text.slice(0, -1)},${text.slice(1)}` : text
}
