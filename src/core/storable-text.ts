/** PostgreSQL holds neither NUL nor half of a surrogate pair, which JSON can carry both; SQLite would, until somebody moves. */
const UNSTORABLE = /\0|\p{Surrogate}/u

export const isStorable = (text: string) => !UNSTORABLE.test(text)

interface Place {
  readonly value: unknown
  readonly name: string
  readonly parent: Place | undefined
}

/** Where in a JSON value there are texts, or names of fields, that cannot be stored; at most so many. */
export function findUnstorable(value: unknown, maxFound: number): readonly (readonly string[])[] {
  const found: string[][] = []
  // Not by recursion: what strangers send may be nested deeper than a stack is.
  const open: Place[] = [{ value, name: '', parent: undefined }]
  for (let place = open.pop(); place && found.length < maxFound; place = open.pop()) {
    const { value: held, name } = place
    if (!isStorable(name) || (typeof held === 'string' && !isStorable(held))) found.push(pathTo(place))
    else if (Array.isArray(held))
      held.forEach((item, index) => open.push({ value: item, name: `${index}`, parent: place }))
    else if (isObject(held))
      for (const [field, item] of Object.entries(held)) open.push({ value: item, name: field, parent: place })
  }
  return found
}

function pathTo(place: Place): string[] {
  const path: string[] = []
  for (let at: Place | undefined = place; at?.parent; at = at.parent) path.push(at.name)
  return path.reverse()
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
