import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Clock } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import { type KeptFile } from '../../core/kept-file.ts'
import { type Log } from '../../observe/log.ts'
import { createRefusalLog } from '../../observe/refusal-log.ts'
import { type HeldBytes } from '../kept-files.ts'
import { type Fetcher } from './fetcher.ts'
import { type StorableKind } from './storable-kind.ts'
import { type StoreReader } from './store-reader.ts'
import { type StoredBytes, type StoredFileRecord, type StoredFileStore, type WhichFiles } from './stored-files.store.ts'

/**
 * Where the files of features are: on the disk, in the object store, or both. Files are named by their paths below the data folder.
 * Without an object store all of them are on the disk.
 */
export interface FilePlaces {
  /** From now on what is complete of this kind goes to the store. */
  add(kind: StorableKind): void
  /** As it is sent to clients. */
  kept(file: string): KeptFile
  /** The whole of a small one; undefined where it is nowhere, or the store does not give it just now, which is logged. */
  read(file: string): Promise<Buffer | undefined>
  /** Its path on the disk, where it is fetched to if need be. */
  bring(file: string): Promise<string | undefined>
  /** It was written to the disk again, with the same content. */
  onWritten(file: string): Promise<void>
  /** Nothing of these stays in the store. Their features remove them from the disk. */
  forget(which: WhichFiles): Promise<void>
  /** Those of a folder that are in the store, and what each has there. */
  listStored(folder: string): Promise<ReadonlyMap<string, number>>
  /** Those of a folder that are on the disks of other nodes only. */
  listElsewhere(folder: string): Promise<readonly string[]>
  /** The node that alone has a file, where that was noted. */
  nodeOf(file: string): Promise<string | undefined>
  /** Of a kind: all that are known to the store, whether they are there yet or not. */
  listFiles(kind: string): Promise<readonly string[]>
  listFolders(kind: string): Promise<readonly string[]>
  /** What of these bytes counts as the feature's own on the disk: what is in the store is counted there. */
  withoutStored(kind: string, held: HeldBytes): Promise<HeldBytes>
  /** The same of bytes that were counted on the disk itself. */
  withoutCopies(kind: string, held: HeldBytes): Promise<HeldBytes>
}

export interface FilePlacesDeps {
  readonly dataDir: string
  /** Undefined in a service of one node. */
  readonly nodeId: string | undefined
  /** Grows. */
  readonly kinds: StorableKind[]
  readonly store: Pick<StoredFileStore, 'find' | 'listIn' | 'listFiles' | 'listFolders' | 'setPlace'>
  readonly countBytes: () => Promise<ReadonlyMap<string, StoredBytes>>
  readonly reader: StoreReader
  readonly fetcher: Fetcher
  readonly forget: (which: WhichFiles) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

export function createFilePlaces(deps: FilePlacesDeps): FilePlaces {
  const { dataDir, nodeId, kinds, store, countBytes, reader, fetcher, forget, clock, log } = deps
  const failureLog = createRefusalLog(
    { info: (fields, text) => log.warn(fields, text) },
    () => clock.steady(),
    1,
    60_000,
  )
  /** Who reads a thousand pictures does not wait a thousand times for a store that is away. */
  let notReadBefore = -Infinity
  const pathOf = (file: string) => join(dataDir, file)

  async function findStored(file: string) {
    const stored = await store.find(file)
    return stored && stored.place !== 'disk' ? stored : undefined
  }

  async function readStored(file: string): Promise<Buffer | undefined> {
    const stored = await findStored(file)
    if (!stored) return undefined
    const { body } = await reader.open(stored, { signal: AbortSignal.timeout(READ_MS) })
    return buffer(body)
  }

  const readFromDisk = (file: string) => readFile(pathOf(file)).catch(() => undefined)

  return {
    add: (kind) => void kinds.push(kind),
    kept: (file) => ({
      path: pathOf(file),
      async inStore() {
        const stored = await findStored(file)
        return stored && reader.toStoredFile(stored)
      },
    }),
    async read(file) {
      const local = await readFromDisk(file)
      if (local) return local
      if (clock.steady() < notReadBefore) return undefined
      try {
        return await readStored(file)
      } catch (error) {
        if (error instanceof AppError && error.code === 'recording-not-found') return undefined
        notReadBefore = clock.steady() + READ_AGAIN_MS
        failureLog.note({ err: error }, 'pictures cannot be read from the object store')
        return undefined
      }
    },
    bring: (file) => fetcher.bring(file),
    async onWritten(file) {
      const stored = await findStored(file)
      if (stored) await store.setPlace(stored, 'both', clock.now())
    },
    forget,
    async listStored(folder) {
      const stored = (await store.listIn(folder)).filter(({ place }) => place !== 'disk')
      return new Map(stored.map(({ file, sizeBytes }) => [file, sizeBytes]))
    },
    async listElsewhere(folder) {
      const others = (await store.listIn(folder)).filter((file) => isOnOneDisk(file) && file.nodeId !== nodeId)
      return others.map(({ file }) => file)
    },
    async nodeOf(file) {
      const found = await store.find(file)
      return found && isOnOneDisk(found) ? found.nodeId! : undefined
    },
    listFiles: (kind) => store.listFiles(kind),
    listFolders: (kind) => store.listFolders(kind),
    withoutStored: async (kind, held) => difference(held, (await countBytes()).get(kind)?.inStore),
    withoutCopies: async (kind, held) => difference(held, (await countBytes()).get(kind)?.copies),
  }
}

const isOnOneDisk = ({ place, nodeId }: StoredFileRecord) => place === 'disk' && nodeId !== null

/** For a picture. */
const READ_MS = 20_000
const READ_AGAIN_MS = 5_000

function difference(held: HeldBytes, less: HeldBytes | undefined): HeldBytes {
  if (!less) return held
  return new Map([...held].map(([accountId, bytes]) => [accountId, Math.max(0, bytes - (less.get(accountId) ?? 0))]))
}
