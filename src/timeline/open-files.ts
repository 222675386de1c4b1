import { randomUUID } from 'node:crypto'
import { type OwnNode } from '../core/own-node.ts'
import { type ProcessRef } from '../core/process-facts.ts'
import { type RecordedLook } from '../core/recorded-look.ts'
import { type DetectionFileChange, type DetectionFileStore } from './detection-files.store.ts'
import { DETECTIONS } from './look-files.ts'
import { createMinuteCounts, hourOf, type MinuteCounts, parseMinutes } from './minute-counts.ts'

/** A file that is being written, and what its row is to say of it. */
export interface OpenFile {
  readonly id: string
  /** Below the data folder. */
  readonly file: string
  /** When its hour begins. */
  readonly hour: number
  readonly process: ProcessRef
  readonly counts: MinuteCounts
  startedAt: number
  endedAt: number
  looks: number
  sizeBytes: number
  isOpen: boolean
  /** Its row says something else. */
  isChanged: boolean
}

/** The files that are being written here. Of a process there are two for a moment, also where a clock is set back. */
export interface OpenFiles {
  /** The one that a look belongs into, with its row written. Undefined of an account whose key is revoked. */
  openFor(process: ProcessRef, look: RecordedLook): Promise<OpenFile | undefined>
  /** A block of these was written. */
  grow(file: OpenFile, looks: readonly RecordedLook[], bytes: number): void
  list(): OpenFile[]
  /** Nothing more is written of it, once its row says so too. */
  close(file: OpenFile): void
  forget(file: OpenFile): void
  /** The process goes on elsewhere, or not at all. */
  forgetProcess(processId: string): void
  /** Those of all together: each transaction costs a wait for the disk. What fails is tried again by the next one. */
  writeRows(): Promise<void>
}

export interface OpenFilesDeps {
  readonly store: Pick<DetectionFileStore, 'insert' | 'update' | 'findLastMinutes'>
  readonly node: OwnNode | null
}

export function createOpenFiles({ store, node }: OpenFilesDeps): OpenFiles {
  /** By process, and of each by hour. */
  const open = new Map<string, Map<number, OpenFile>>()
  /** Of tracks, by process. */
  const lastIds = new Map<string, number>()
  const list = () => [...open.values()].flatMap((files) => [...files.values()])

  async function findLastId(processId: string): Promise<number> {
    const known = lastIds.get(processId)
    if (known !== undefined) return known
    const minutes = await store.findLastMinutes(processId)
    return minutes === undefined ? 0 : parseMinutes(minutes).last
  }

  function forget({ process: { processId }, hour }: OpenFile): void {
    const files = open.get(processId)
    files?.delete(hour)
    if (files?.size === 0) open.delete(processId)
  }

  return {
    async openFor(process, { takenAtMs }) {
      const { processId, sourceId, accountId } = process
      const hour = hourOf(takenAtMs)
      const known = open.get(processId)?.get(hour)
      // One whose end could not be noted goes on.
      if (known) return Object.assign(known, { isOpen: true })
      const counts = createMinuteCounts(await findLastId(processId))
      const file = createOpenFile(process, hour, takenAtMs, counts)
      const ids = { account_id: accountId, source_id: sourceId, process_id: processId, node_id: node?.id ?? null }
      // Before the file: one that has no row would be found by nobody.
      if (!(await store.insert({ ...ids, ...toChange(file), file: file.file }))) return undefined
      open.set(processId, (open.get(processId) ?? new Map<number, OpenFile>()).set(hour, file))
      return file
    },
    grow(file, looks, bytes) {
      for (const look of looks) {
        file.counts.add(look)
        file.startedAt = Math.min(file.startedAt, Math.floor(look.takenAtMs))
        file.endedAt = Math.max(file.endedAt, Math.ceil(look.takenAtMs))
      }
      file.looks += looks.length
      file.sizeBytes += bytes
      file.isChanged = true
      const { processId } = file.process
      lastIds.set(processId, Math.max(lastIds.get(processId) ?? 0, file.counts.lastId))
    },
    list,
    close: (file) => void Object.assign(file, { isOpen: false, isChanged: true }),
    forget,
    forgetProcess: (processId) => void lastIds.delete(processId),
    async writeRows() {
      const changed = list().filter(({ isChanged }) => isChanged)
      if (changed.length === 0) return
      for (const file of changed) file.isChanged = false
      try {
        await store.update(changed.map(toChange))
      } catch (error) {
        for (const file of changed) file.isChanged = true
        throw error
      }
      for (const file of changed) if (!file.isOpen) forget(file)
    },
  }
}

/** Its times are whole milliseconds around what it has: rounded to the nearest, its first one could be in the next hour. */
function createOpenFile(process: ProcessRef, hour: number, takenAtMs: number, counts: MinuteCounts): OpenFile {
  const id = randomUUID()
  const file = `${DETECTIONS}/${process.sourceId}/${id}.looks`
  const times = { startedAt: Math.floor(takenAtMs), endedAt: Math.ceil(takenAtMs) }
  return { id, file, hour, process, counts, ...times, looks: 0, sizeBytes: 0, isOpen: true, isChanged: false }
}

function toChange(file: OpenFile): DetectionFileChange {
  return {
    id: file.id,
    started_at: file.startedAt,
    ended_at: file.endedAt,
    is_open: Number(file.isOpen),
    looks: file.looks,
    size_bytes: file.sizeBytes,
    minutes: file.counts.toJson(),
  }
}
