import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../core/errors.ts'

const EXTENSIONS = ['.mp4', '.mov', '.avi']

/** An uploaded file on its way to becoming a source. */
export interface ReceivedFile {
  readonly file: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly extension: string
}

/** The folder of uploaded videos. What is not wanted in the end leaves nothing behind. */
export interface VideoFolder {
  /** Writes the stream to a temporary file while counting and hashing it. */
  receive(stream: Readable, fileName: string, limitBytes: number): Promise<ReceivedFile>
  /** Makes a received file the one of this source. */
  keep(received: ReceivedFile, sourceId: string): Promise<void>
  discard(received: ReceivedFile): Promise<void>
  remove(sourceId: string): Promise<void>
  /** Where a source's file is; undefined when it is gone. */
  find(sourceId: string): Promise<string | undefined>
  /** Removes what uploads cut by a crash left behind. */
  cleanUp(): Promise<void>
}

export function createVideoFolder(dataDir: string): VideoFolder {
  const videos = join(dataDir, 'videos')
  const incoming = join(videos, 'incoming')
  const names = async (sourceId: string) =>
    (await readdir(videos).catch(() => [])).filter((name) => name.startsWith(`${sourceId}.`))

  return {
    async receive(stream, fileName, limitBytes) {
      const extension = extname(fileName).toLowerCase()
      if (!EXTENSIONS.includes(extension)) throw new AppError('video-type-unsupported', { file_name: fileName })
      await mkdir(incoming, { recursive: true, mode: 0o700 })
      const file = join(incoming, `${randomUUID()}${extension}`)
      const hash = createHash('sha256')
      let sizeBytes = 0
      const meter = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          sizeBytes += chunk.length
          if (sizeBytes > limitBytes) return done(new AppError('video-too-large', { limit_bytes: limitBytes }))
          hash.update(chunk)
          done(null, chunk)
        },
      })
      try {
        await pipeline(stream, meter, createWriteStream(file, { mode: 0o600 }))
      } catch (error) {
        await rm(file, { force: true })
        throw error instanceof AppError ? error : new AppError('upload-incomplete', {}, { cause: error })
      }
      return { file, sizeBytes, sha256: hash.digest('hex'), extension }
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
    cleanUp: () => rm(incoming, { recursive: true, force: true }),
  }
}
