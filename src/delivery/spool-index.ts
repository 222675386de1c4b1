import { recordBytesOf } from './spool-records.ts'

/** What waits in the spool. */
export interface SpooledEntry {
  readonly kind: string
  /** Of its kind, one entry has it. */
  readonly key: string
  /** The account whose share of the room it takes; empty in a file of an earlier version. */
  readonly owner: string
  /** As it stands in the file: JSON of kind, key, value and owner. */
  readonly payload: Buffer
}

type Name = Pick<SpooledEntry, 'kind' | 'key'>

/** How many entries, and of how many bytes in the file. */
export interface SpooledSize {
  readonly count: number
  readonly bytes: number
}

export function toEntry({ kind, key, owner }: Omit<SpooledEntry, 'payload'>, value: unknown): SpooledEntry {
  return { kind, key, owner, payload: Buffer.from(JSON.stringify([kind, key, value, owner])) }
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
  /** Of an owner; of all when none is named. With these entries, if any are. */
  sizeOf(owner?: string, added?: readonly SpooledEntry[]): SpooledSize
  put(entry: SpooledEntry): void
  remove(name: Name): void
  /** Puts, or removes, what a payload of the file says. */
  replay(payload: Buffer): void
}

export function createSpoolIndex(): SpoolIndex {
  const kinds = new Map<string, Map<string, SpooledEntry>>()
  /** By owner. */
  const sizes = new Map<string, SpooledSize>()

  const find = ({ kind, key }: Name) => kinds.get(kind)?.get(key)

  function sizeOf(owner?: string, added: readonly SpooledEntry[] = []): SpooledSize {
    const isCounted = (entry: SpooledEntry) => owner === undefined || entry.owner === owner
    const known = owner === undefined ? [...sizes.values()] : [sizes.get(owner) ?? NONE]
    const replaced = added.flatMap((entry) => find(entry) ?? []).filter(isCounted)
    const whole = sum([...known, ...added.filter(isCounted).map(sizeOfEntry)])
    return minus(whole, sum(replaced.map(sizeOfEntry)))
  }

  function count(entry: SpooledEntry): void {
    sizes.set(entry.owner, sum([sizeOf(entry.owner), sizeOfEntry(entry)]))
  }

  function discount(entry: SpooledEntry): void {
    const left = minus(sizeOf(entry.owner), sizeOfEntry(entry))
    if (left.count === 0) sizes.delete(entry.owner)
    else sizes.set(entry.owner, left)
  }

  function put(entry: SpooledEntry): void {
    const known = find(entry)
    if (known) discount(known)
    count(entry)
    const own = kinds.get(entry.kind) ?? new Map<string, SpooledEntry>()
    kinds.set(entry.kind, own.set(entry.key, entry))
  }

  function remove({ kind, key }: Name): void {
    const known = find({ kind, key })
    if (!known) return
    kinds.get(kind)!.delete(key)
    discount(known)
  }

  return {
    countOf: (kind) => kinds.get(kind)?.size ?? 0,
    list: (kind, maxCount) => [...(kinds.get(kind)?.values() ?? [])].slice(0, maxCount),
    listAll: () => [...kinds.values()].flatMap((own) => [...own.values()]),
    find,
    holds: (entry) => find(entry) === entry,
    sizeOf,
    put,
    remove,
    replay(payload) {
      const parts = JSON.parse(payload.toString()) as [kind: string, key: string, value?: unknown, owner?: string]
      const [kind, key, , owner = ''] = parts
      if (parts.length > 2) put({ kind, key, owner, payload })
      else remove({ kind, key })
    },
  }
}

const NONE: SpooledSize = { count: 0, bytes: 0 }

const sizeOfEntry = ({ payload }: SpooledEntry): SpooledSize => ({ count: 1, bytes: recordBytesOf(payload) })

const sum = (sizes: readonly SpooledSize[]): SpooledSize =>
  sizes.reduce((whole, { count, bytes }) => ({ count: whole.count + count, bytes: whole.bytes + bytes }), NONE)

const minus = (whole: SpooledSize, part: SpooledSize): SpooledSize => ({
  count: whole.count - part.count,
  bytes: whole.bytes - part.bytes,
})
