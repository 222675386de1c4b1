import { recordBytesOf } from './spool-records.ts'

/** What waits in the spool. */
export interface SpooledEntry {
  readonly kind: string
  /** Of its kind, one entry has it. */
  readonly key: string
  /** As it stands in the file: JSON of kind, key and value. */
  readonly payload: Buffer
}

type Name = Pick<SpooledEntry, 'kind' | 'key'>

export function toEntry(kind: string, key: string, value: unknown): SpooledEntry {
  return { kind, key, payload: Buffer.from(JSON.stringify([kind, key, value])) }
}

export function valueOf<Value>({ payload }: SpooledEntry): Value {
  const [, , value] = JSON.parse(payload.toString()) as [string, string, Value]
  return value
}

/** What says in the file that an entry is gone. */
export function removalOf({ kind, key }: Name): Buffer {
  return Buffer.from(JSON.stringify([kind, key]))
}

/** Everything that is in the spool, by kind and key. A key that is put again keeps its place. */
export interface SpoolIndex {
  countOf(kind: string): number
  list(kind: string, maxCount: number): SpooledEntry[]
  listAll(): SpooledEntry[]
  find(name: Name): SpooledEntry | undefined
  /** Whether it is this very one that is there. */
  holds(entry: SpooledEntry): boolean
  /** How many there would be with these, and of how many bytes in the file. */
  sizeWith(entries: readonly SpooledEntry[]): { readonly count: number; readonly bytes: number }
  put(entry: SpooledEntry): void
  remove(name: Name): void
  /** Puts, or removes, what a payload of the file says. */
  replay(payload: Buffer): void
}

export function createSpoolIndex(): SpoolIndex {
  const kinds = new Map<string, Map<string, SpooledEntry>>()
  let size = { count: 0, bytes: 0 }

  const find = ({ kind, key }: Name) => kinds.get(kind)?.get(key)

  function sizeWith(entries: readonly SpooledEntry[]): typeof size {
    let { count, bytes } = size
    for (const entry of entries) {
      const known = find(entry)
      if (!known) count += 1
      bytes += recordBytesOf(entry.payload) - (known ? recordBytesOf(known.payload) : 0)
    }
    return { count, bytes }
  }

  function put(entry: SpooledEntry): void {
    size = sizeWith([entry])
    const own = kinds.get(entry.kind) ?? new Map<string, SpooledEntry>()
    kinds.set(entry.kind, own.set(entry.key, entry))
  }

  function remove({ kind, key }: Name): void {
    const known = find({ kind, key })
    if (!known) return
    kinds.get(kind)!.delete(key)
    size = { count: size.count - 1, bytes: size.bytes - recordBytesOf(known.payload) }
  }

  return {
    countOf: (kind) => kinds.get(kind)?.size ?? 0,
    list: (kind, maxCount) => [...(kinds.get(kind)?.values() ?? [])].slice(0, maxCount),
    listAll: () => [...kinds.values()].flatMap((own) => [...own.values()]),
    find,
    holds: (entry) => find(entry) === entry,
    sizeWith,
    put,
    remove,
    replay(payload) {
      const [kind, key, ...value] = JSON.parse(payload.toString()) as [string, string, unknown?]
      if (value.length > 0) put({ kind, key, payload })
      else remove({ kind, key })
    },
  }
}
