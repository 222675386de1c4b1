import { randomBytes } from 'node:crypto'
import { statSync, truncateSync } from 'node:fs'
import { appendFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type UrgentWork } from '../core/urgent-work.ts'
import { sqlitePathOf } from './database.ts'
import { freeBytesOf } from './disk-room.ts'

const MB = 2 ** 20
const MAX_RESERVE_BYTES = 8 * MB
/** Given up at a time: what a revocation writes is far less. */
const STEP_BYTES = MB
/** What is left in the reserve for what is more urgent: many with a key can remove things again and again. */
const MIN_KEPT_BYTES: Readonly<Record<UrgentWork, number>> = {
  removal: 4 * MB,
  revocation: 2 * MB,
  'key-revocation': 0,
}
/** Below this the database may fail to write. */
const MIN_FREE_BYTES = MB / 2
/** What must be free besides before the reserve is filled again. */
const MIN_FREE_TO_FILL_BYTES = 64 * MB

/**
 * A file that holds a little of the disk, for when others have filled it: a caller that makes room or revokes a key needs some to
 * write that down. It is given up a step at a time, and filled again when there is room.
 */
export interface DiskReserve {
  /** Called before what must be possible on a full disk, and before the database is opened: that takes room too. Does nothing while there is some. */
  makeRoom(work: UrgentWork): void
  fill(): Promise<void>
}

/** Beside the file of SQLite, which may be on another disk than the rest. The disk of PostgreSQL is not ours to hold. */
export function createDiskReserve(databaseUrl: string, freeBytesOn = freeBytesOf): DiskReserve {
  const path = sqlitePathOf(databaseUrl)
  if (path === undefined) return { makeRoom() {}, async fill() {} }
  const file = `${path}-reserve`
  const freeBytes = () => freeBytesOn(dirname(path))
  const heldBytes = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0

  return {
    makeRoom(work) {
      const held = heldBytes()
      const kept = MIN_KEPT_BYTES[work]
      if (held > kept && freeBytes() < MIN_FREE_BYTES) truncateSync(file, Math.max(kept, held - STEP_BYTES))
    },
    async fill() {
      const missing = MAX_RESERVE_BYTES - heldBytes()
      if (missing <= 0 || freeBytes() < missing + MIN_FREE_TO_FILL_BYTES) return
      try {
        // Zeros would take no room on a file system that compresses.
        await appendFile(file, randomBytes(missing), { mode: 0o600, flush: true })
      } catch (error) {
        await rm(file, { force: true })
        throw error
      }
    },
  }
}
