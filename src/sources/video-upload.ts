import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import { type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../core/errors.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { VIDEOS } from './video-files.store.ts'
import { invalid } from './video-form.ts'

const EXTENSIONS = ['.mp4', '.mov', '.avi']

/** An uploaded file on its way to becoming a source. */
export interface ReceivedFile {
  /** Where it is for now. */
  readonly file: string
  /** What its owner calls it. */
  readonly fileName: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly extension: string
}

/** The folder of uploaded videos. What is not wanted in the end leaves nothing behind. */
export interface VideoFolder {
  /** Writes the stream to a temporary file while hashing it. Each piece is written once `reserve` has room for it. */
  receive(stream: Readable, givenName: string | undefined, limits: UploadLimits): Promise<ReceivedFile>
  /** Makes a received file the one of this name, in the place of one with the same content. */
  keep(received: ReceivedFile, file: string): Promise<void>
  discard(received: ReceivedFile): Promise<void>
  remove(file: string): Promise<void>
  /** From this disk: another node has one of the same content for its sources. */
  removeHere(file: string): Promise<void>
  /** That of an account; where files are in it still, it stays. */
  removeEmptyFolder(accountId: string): Promise<void>
  /** Where a file is, once it is on the disk; undefined when it is gone. */
  find(file: string): Promise<string | undefined>
  /** Removes what a crash left behind: uploads that were cut, and files whose source was never noted. */
  cleanUp(listKnown: () => Promise<readonly string[]>): Promise<void>
}

export interface UploadLimits {
  readonly limitBytes: number
  /** Rejects when there is no room for so many bytes more. */
  readonly reserve: (bytes: number) => Promise<void>
}

/** A file's name below the folder: by content, and by account, since nobody may learn what others have. */
export function toVideoFile(accountId: string, { sha256, extension }: ReceivedFile): string {
  return `${accountId}/${sha256}${extension}`
}

/** The last part of the name, short and printable: it is shown in lists. */
function toShownName(givenName = ''): string {
  return (
    basename(givenName)
      .replace(/[\u0000-\u001f\u007f]/g, '')
      .slice(-100) || 'a file without a name'
  )
}

function toUploadError(error: NodeJS.ErrnoException): Error {
  if (error instanceof AppError) return error
  // The stream's own end; a disk that fails in another way is ours to explain, not the caller's to mend.
  const isStream =
    error.code === undefined ||
    error.code.startsWith('ERR_STREAM') ||
    error.code === 'ECONNRESET' ||
    error.code === 'FST_REQ_FILE_TOO_LARGE'
  return isStream ? new AppError('upload-incomplete', {}, { cause: error }) : error
}

export function createVideoFolder(dataDir: string, places: FilePlaces): VideoFolder {
  const videos = join(dataDir, VIDEOS)
  const incoming = join(videos, 'incoming')
  const removeHere = (file: string) => rm(join(videos, file), { force: true })

  return {
    async receive(stream, givenName, { limitBytes, reserve }) {
      const fileName = toShownName(givenName)
      const extension = extname(fileName).toLowerCase()
      if (EXTENSIONS.includes(fileName.toLowerCase()))
        throw invalid('body.file', `The file needs a name before ${fileName}, as in flight${fileName}.`)
      if (!EXTENSIONS.includes(extension)) throw new AppError('video-type-unsupported', { file_name: fileName })
      await mkdir(incoming, { recursive: true, mode: 0o700 })
      const file = join(incoming, `${randomUUID()}${extension}`)
      const hash = createHash('sha256')
      let sizeBytes = 0
      async function* metered(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
        for await (const chunk of chunks) {
          sizeBytes += chunk.length
          if (sizeBytes > limitBytes) throw new AppError('video-too-large', { limit_bytes: limitBytes })
          await reserve(chunk.length)
          hash.update(chunk)
          yield chunk
        }
      }
      // Opened first: a file that is still being opened when its stream is refused would be there after its removal.
      const handle = await open(file, 'wx', 0o600)
      try {
        // On the disk before its source is noted.
        await pipeline(stream, metered, handle.createWriteStream({ flush: true }))
      } catch (error) {
        await rm(file, { force: true })
        throw toUploadError(error as NodeJS.ErrnoException)
      }
      return { file, fileName, sizeBytes, sha256: hash.digest('hex'), extension }
    },
    async keep(received, file) {
      await mkdir(dirname(join(videos, file)), { recursive: true, mode: 0o700 })
      await rename(received.file, join(videos, file))
      await places.onWritten(`${VIDEOS}/${file}`)
    },
    discard: ({ file }) => rm(file, { force: true }),
    async remove(file) {
      await places.forget([`${VIDEOS}/${file}`])
      await removeHere(file)
    },
    removeHere,
    removeEmptyFolder: (accountId) => rmdir(join(videos, accountId)).catch(() => {}),
    find: (file) => places.bring(`${VIDEOS}/${file}`),
    async cleanUp(listKnown) {
      await rm(incoming, { recursive: true, force: true })
      // First: what another node notes meanwhile has its source by then.
      const stored = await places.listFiles(VIDEOS)
      const known = new Set(await listKnown())
      const entries = await readdir(videos, { recursive: true, withFileTypes: true }).catch(() => [])
      for (const entry of entries.filter((one) => !one.isDirectory())) {
        const path = join(entry.parentPath, entry.name)
        if (!known.has(relative(videos, path))) await rm(path, { force: true })
      }
      await places.forget(stored.filter((file) => !known.has(relative(VIDEOS, file))))
    },
  }
}
