import { type Clock } from '../core/clock.ts'
import { DatabaseAway } from '../core/outages.ts'
import { rowsOf } from '../core/rows-of.ts'
import { createGroupCommit } from './group-commit.ts'
import { createSpoolIndex, removalOf, type SpooledEntry, type SpooledSize, toEntry } from './spool-index.ts'
import { createSpoolRoom, type SpoolRoomDeps } from './spool-room.ts'

/**
 * Keeps on disk what the database does not take at the moment: entries of several kinds, of each key the newest, in the order in
 * which the keys came. All of it is in memory too. What comes together is written together, with one flush.
 */
export interface Spool {
  /** Takes up what an earlier service left. One that cannot be opened is logged, and left as it is. */
  open(): Promise<void>
  /** Takes its room on the disk, if it has none yet and there is some; called again and again. A failure is logged. */
  fill(): Promise<void>
  countOf(kind: string): number
  /** The first ones of a kind, those that are being written included. */
  list(kind: string, maxCount: number): readonly SpooledEntry[]
  /**
   * Resolves when these of an account are on disk. Rejects when there is no room for them, or the disk fails: then they are not
   * there. An account may have no more than it leaves free, so that the next one always finds some.
   */
  put(kind: string, values: ReadonlyMap<string, unknown>, owner: string): Promise<void>
  /** Resolves when they are gone, but for those in whose place something newer was put. What a failing disk still has is removed by a later write. */
  remove(entries: readonly SpooledEntry[]): Promise<void>
  close(): Promise<void>
}

export interface SpoolDeps extends SpoolRoomDeps {
  readonly clock: Clock
}

interface Op {
  readonly puts: readonly SpooledEntry[]
  readonly removals: readonly SpooledEntry[]
}

const MAX_ENTRIES = 10_000
/** Of a half of the file. The rest is for what is replaced or removed, so that a half is not written anew for each of these. */
const MAX_FILLED_SHARE = 3 / 4
/** Of all writes: they are in one order, whoever's they are. */
const WRITER = ''
/** Removes what nobody puts. */
const NOTHING = removalOf({ kind: '', key: '' })

export function createSpool({ clock, ...deps }: SpoolDeps): Spool {
  const { path, log } = deps
  const room = createSpoolRoom(deps)
  const index = createSpoolIndex()
  const commit = createGroupCommit<Op>({ write: writeGroup, weightOf, clock })
  /** Gone, though that could not be written. */
  const owed = new Set<SpooledEntry>()
  /** A write failed, and the file may have it all the same. Whatever is written next takes its place. */
  let isUncertain = false

  async function writeGroup(ops: readonly Op[]): Promise<void> {
    const settled = [...owed]
    const settling = isUncertain ? [NOTHING, ...settled.map(removalOf)] : settled.map(removalOf)
    const gone = new Set(ops.flatMap(({ removals }) => removals).filter((entry) => index.holds(entry)))
    const payloads = ops.flatMap(({ puts, removals }) => [
      ...puts.map(({ payload }) => payload),
      ...removals.filter((entry) => gone.has(entry)).map(removalOf),
    ])
    isUncertain = true
    await writePayloads([...settling, ...payloads], gone)
    isUncertain = false
    for (const entry of settled) owed.delete(entry)
    // Something newer may have taken its place meanwhile.
    for (const entry of gone) if (index.holds(entry)) index.remove(entry)
  }

  async function writePayloads(payloads: readonly Buffer[], gone: ReadonlySet<SpooledEntry>): Promise<void> {
    const { file } = room
    if (!file) throw new Error('The spool is not open.')
    if (await file.append(payloads)) return
    const left = index.listAll().filter((entry) => !gone.has(entry))
    await file.rewrite(left.map(({ payload }) => payload))
  }

  /** Makes certain what is in the file, if a write failed before. */
  async function settle(): Promise<void> {
    if (isUncertain || owed.size > 0) await commit.add(WRITER, { puts: [], removals: [] }).catch(() => {})
  }

  function hasRoomFor(owner: string, entries: readonly SpooledEntry[]): boolean {
    if (!room.file) return false
    const limit: SpooledSize = { count: MAX_ENTRIES, bytes: room.file.maxBytes * MAX_FILLED_SHARE }
    const [before, own, all] = [index.sizeOf(owner), index.sizeOf(owner, entries), index.sizeOf(undefined, entries)]
    // What takes the place of as much is taken also of one that has more than others have left free since.
    const isWithin = (unit: keyof SpooledSize) =>
      all[unit] <= limit[unit] && (own[unit] <= before[unit] || own[unit] <= limit[unit] - all[unit])
    return isWithin('count') && isWithin('bytes')
  }

  /** Its caller knows that it could not be written, and may put it again. */
  function takeBack(entry: SpooledEntry, before: SpooledEntry | undefined): void {
    if (!index.holds(entry)) return
    if (before) index.put(before)
    else index.remove(entry)
  }

  return {
    async open() {
      for (const payload of await room.open()) index.replay(payload)
      if (index.listAll().length === 0) await room.renew()
    },
    async fill() {
      await room.fill()
      await settle()
    },
    countOf: (kind) => index.countOf(kind),
    list: (kind, maxCount) => index.list(kind, maxCount),
    async put(kind, values, owner) {
      const puts = [...values].map(([key, value]) => toEntry({ kind, key, owner }, value))
      if (!hasRoomFor(owner, puts)) throw new DatabaseAway(new Error('the spool has no room for it'))
      const before = puts.map((entry) => index.find(entry))
      for (const entry of puts) index.put(entry)
      try {
        await commit.add(WRITER, { puts, removals: [] })
      } catch (error) {
        for (const [at, entry] of puts.entries()) takeBack(entry, before[at])
        throw error
      }
    },
    async remove(entries) {
      try {
        await commit.add(WRITER, { puts: [], removals: entries })
      } catch (error) {
        log.error({ err: error, path }, 'the spool could not be written; a kill now sends again what was in it')
        // They are in the database. Were they to stay, all that is new would go to a spool that takes nothing.
        for (const entry of entries.filter((one) => index.holds(one))) {
          index.remove(entry)
          owed.add(entry)
        }
      }
    },
    async close() {
      await settle()
      await commit.flush()
      await room.close()
    },
  }
}

const weightOf = ({ puts, removals }: Op) =>
  puts.reduce((sum, { payload }) => sum + rowsOf(payload.length), 0) + removals.length
