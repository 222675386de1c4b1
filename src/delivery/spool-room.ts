import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Log } from '../observe/log.ts'
import { freeBytesOf } from '../storage/disk-room.ts'
import { createSpoolFile, openSpoolFile, removeUnfinished, type SpoolFile } from './spool-file.ts'

/** The room that the spool has on the disk: its file, once there is one. A failure is logged; the service goes on without a spool. */
export interface SpoolRoom {
  readonly file: SpoolFile | undefined
  /** Answers what an earlier service left, in its order. */
  open(): Promise<readonly Buffer[]>
  /** Of a file in which nothing waits: it is made anew when there is more room than there was. */
  renew(): Promise<void>
  /** Takes room, if it has none yet and there is some. */
  fill(): Promise<void>
  close(): Promise<void>
}

export interface SpoolRoomDeps {
  readonly path: string
  readonly log: Log
  readonly freeBytesOn?: (folder: string) => number
}

const MB = 2 ** 20
const MAX_FILE_BYTES = 32 * MB
/** It takes no more of what is free on the disk. */
const MAX_SHARE_OF_FREE = 1 / 8

export function createSpoolRoom({ path, log, freeBytesOn = freeBytesOf }: SpoolRoomDeps): SpoolRoom {
  let file: SpoolFile | undefined
  /** There is one that could not be opened. What waits in it is for the next start, which may be able to. */
  let isLeftAlone = false
  let isFillFailing = false

  const wantedBytes = () =>
    Math.floor(Math.min(MAX_FILE_BYTES, freeBytesOn(dirname(path)) * MAX_SHARE_OF_FREE) / MB) * MB

  async function openFile(): Promise<readonly Buffer[]> {
    await removeUnfinished(path)
    if (!existsSync(path)) return []
    const opened = await openSpoolFile(path)
    if (!opened) log.error({ path }, 'nothing in the spool can be read; if something waited in it, that is lost')
    file = opened?.file
    return opened?.payloads ?? []
  }

  /** A larger one than there is, if there is room for one. It takes its place; where it cannot be made, that one stays. */
  async function make(): Promise<void> {
    try {
      const sizeBytes = wantedBytes()
      if (sizeBytes <= (file?.sizeBytes ?? 0)) return
      await createSpoolFile(path, sizeBytes)
      await close()
      file = (await openSpoolFile(path))?.file
      isFillFailing = false
    } catch (error) {
      if (file) return log.warn({ err: error, path }, 'the spool cannot be made larger; it stays as it is')
      // It is tried again every few seconds.
      if (!isFillFailing)
        log.error(
          { err: error, path },
          'the spool cannot be made: a kill while the database is away loses notifications',
        )
      isFillFailing = true
    }
  }

  async function close(): Promise<void> {
    const closed = file
    file = undefined
    await closed?.close()
  }

  return {
    get file() {
      return file
    },
    async open() {
      try {
        return await openFile()
      } catch (error) {
        isLeftAlone = true
        log.error(
          { err: error, path },
          'the spool cannot be opened; until the next start it is left as it is, and not used',
        )
        await close()
        return []
      }
    },
    async renew() {
      if (file) await make()
    },
    async fill() {
      if (!file && !isLeftAlone) await make()
    },
    close,
  }
}
