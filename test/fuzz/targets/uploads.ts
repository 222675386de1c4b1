import { mkdtempSync, rmSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_PICTURE_LIMIT } from '../../../src/core/picture-limit.ts'
import { type FromProber, type ToProber } from '../../../src/media/messages.ts'
import { databaseParent } from '../../support/database-parent.ts'
import { createChildPool } from '../child-pool.ts'
import { videoFile } from '../inputs/video-file.ts'
import { randomOf } from '../random.ts'
import { type FuzzTarget } from '../target.ts'

const PARALLEL = 2
/** As much as the service gives to a look with the default limit of pictures. */
const MAX_MEMORY_BYTES = 2 ** 30
const TOO_MUCH: FromProber = { type: 'failed', sentence: 'It takes too much memory.' }

/** Files that are looked at before they are taken: by the prober, in its process; here one process looks at many. */
export const uploads: FuzzTarget = {
  name: 'uploads',
  about: 'videos (MP4, MOV, AVI), pictures and other files to the prober, in processes of its own',
  counts: { short: 40, long: 4_000 },
  parallel: PARALLEL,
  open() {
    const folder = mkdtempSync(join(databaseParent(), 'aerie-fuzz-uploads-'))
    const probers = createChildPool<ToProber, FromProber>(PARALLEL, {
      entry: new URL('../../../src/media/probe/worker.ts', import.meta.url),
      isAnswer: (message): message is FromProber => ['report', 'failed'].includes((message as FromProber).type),
      maxMemory: { bytes: MAX_MEMORY_BYTES, answer: TOO_MUCH },
    })
    let made = 0
    return {
      create: videoFile,
      async feed(input) {
        const file = join(folder, `${made++}.${randomOf(input).pick(['mp4', 'mov', 'avi'])}`)
        await writeFile(file, input)
        const question = { input: file, isLive: false, watchMs: 0, timeoutMs: 5_000, outbound: null }
        const answer = await probers.ask({ ...question, maxPicture: DEFAULT_PICTURE_LIMIT })
        await rm(file)
        if (answer.type === 'failed' && !/^[A-Z].*\.$/s.test(answer.sentence))
          throw new Error(`No sentence: ${answer.sentence}`)
      },
      pids: () => probers.pids(),
      async close() {
        await probers.close()
        rmSync(folder, { recursive: true })
      },
    }
  },
}
