import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Log } from '../observe/log.ts'

/** `mkdtemp` fills in six characters. */
const NAME = /^aerie-hls-[A-Za-z0-9]{6}$/
const SOCKET = 'hls.sock'
/** Longer than a worker may take from its folder's making until it listens. */
const LISTENS_TIMEOUT_MS = 60_000

export interface RunFolder {
  readonly socketPath: string
  remove(): void
}

/**
 * A folder for the socket of one worker. Short, because a socket's address may have 107 characters, so not below the data folder;
 * and of our own, so that nobody else gets in.
 */
export function createRunFolder(parent = tmpdir()): RunFolder {
  const folder = mkdtempSync(join(parent, 'aerie-hls-'))
  return {
    socketPath: join(folder, SOCKET),
    remove() {
      try {
        rmSync(folder, { recursive: true, force: true })
      } catch {
        // The next start tries again.
      }
    },
  }
}

/**
 * A worker that was killed could not remove its own. Dead is a folder where nobody listens: process ids are no proof, since
 * containers that share this folder each count their own.
 */
export async function removeDeadRunFolders(log: Log, { parent = tmpdir(), now = Date.now } = {}): Promise<void> {
  try {
    for (const name of readdirSync(parent).filter((one) => NAME.test(one))) {
      const folder = join(parent, name)
      if (!isOurs(folder, now() - LISTENS_TIMEOUT_MS) || (await isListening(join(folder, SOCKET)))) continue
      rmSync(folder, { recursive: true, force: true })
    }
  } catch (error) {
    // They are small, and nobody needs their room.
    log.warn({ err: error, folder: parent }, 'what earlier makers of HLS left behind could not be removed')
  }
}

/** In a folder where everybody may write, such a name may also be somebody else's. */
function isOurs(folder: string, madeBeforeMs: number): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  return stats?.isDirectory() === true && stats.uid === process.getuid?.() && stats.mtimeMs < madeBeforeMs
}

function isListening(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(socketPath)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    // A full queue, or a right that is missing, is a sign of life.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ENOENT' && code !== 'ECONNREFUSED'))
  })
}
