import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../core/errors.ts'

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
  /** Writes the stream to a temporary file while counting and hashing it. */
  receive(stream: Readable, givenName: string | undefined, limitBytes: number): Promise<ReceivedFile>
  /** Makes a received file the one of this source. */
  keep(received: ReceivedFile, sourceId: string): Promise<void>
  discard(received: ReceivedFile): Promise<void>
  remove(sourceId: string): Promise<void>
  /** Where a source's file is; undefined when it is gone. */
  find(sourceId: string): Promise<string | undefined>
  /** Bytes of uploads that are under way, for the disk's budget. */
  readonly incomingBytes: number
  /** Removes what a crash left behind: uploads that were cut, and files whose source was never noted. */
  cleanUp(isKnown: (sourceId: string) => Promise<boolean>): Promise<void>
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
  if (error.code === 'ENOSPC') return new AppError('disk-full', {}, { cause: error })
  // The stream's own end; a disk that fails in another way is ours to explain, not the caller's to mend.
  const isStream =
    error.code === undefined ||
    error.code.startsWith('ERR_STREAM') ||
    error.code === 'ECONNRESET' ||
    error.code === 'FST_REQ_FILE_TOO_LARGE'
  return isStream ? new AppError('upload-incomplete', {}, { cause: error }) : error
}

export function createVideoFolder(dataDir: string): VideoFolder {
  const videos = join(dataDir, 'videos')
  const incoming = join(videos, 'incoming')
  let incomingBytes = 0
  const names = async (sourceId: string) =>
    (await readdir(videos).catch(() => [])).filter((name) => name.startsWith(`${sourceId}.`))

  return {
    async receive(stream, givenName, limitBytes) {
      const fileName = toShownName(givenName)
      const extension = extname(fileName).toLowerCase()
      if (!EXTENSIONS.includes(extension)) throw new AppError('video-type-unsupported', { file_name: fileName })
      await mkdir(incoming, { recursive: true, mode: 0o700 })
      const file = join(incoming, `${randomUUID()}${extension}`)
      const hash = createHash('sha256')
      let sizeBytes = 0
      const meter = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          sizeBytes += chunk.length
          incomingBytes += chunk.length
          if (sizeBytes > limitBytes) return done(new AppError('video-too-large', { limit_bytes: limitBytes }))
          hash.update(chunk)
          done(null, chunk)
        },
      })
      try {
        await pipeline(stream, meter, createWriteStream(file, { mode: 0o600 }))
      } catch (error) {
        await rm(file, { force: true })
        throw toUploadError(error as NodeJS.ErrnoException)
      } finally {
        incomingBytes -= sizeBytes
      }
      return { file, fileName, sizeBytes, sha256: hash.digest('hex'), extension }
    },
    keep: ({ file, extension }, sourceId) => rename(file, join(videos, `${sourceId}${extension}`)),
    discard: ({ file }) => rm(file, { force: true }),
    async remove(sourceId) {
      for (const name of await names(sourceId)) await rm(join(videos, name), { force: true })
    },
    async find(sourceId) {
      const [name] = await names(sourceId)
      return name && join(videos, name)
    },
    get incomingBytes() {
      return incomingBytes
    },
    async cleanUp(isKnown) {
      await rm(incoming, { recursive: true, force: true })
      for (const name of await readdir(videos).catch(() => [])) {
        if (!(await isKnown(name.split('.')[0]!))) await rm(join(videos, name), { force: true, recursive: true })
      }
    },
  }
}
