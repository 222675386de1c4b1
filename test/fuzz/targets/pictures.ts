import { mkdtempSync, rmSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseParent } from '../../support/database-parent.ts'
import { createChildPool } from '../child-pool.ts'
import { type PictureAnswer, type PictureQuestion } from '../children/picture-messages.ts'
import { pictureFile } from '../inputs/picture-files.ts'
import { type FuzzTarget } from '../target.ts'

const PARALLEL = 2

/** Pictures as the enhancement reads them, in processes of their own. */
export const pictures: FuzzTarget = {
  name: 'pictures',
  about: 'JPEG, PNG and WebP to the reader of the enhancement, in processes of its own',
  counts: { short: 60, long: 20_000 },
  parallel: PARALLEL,
  open() {
    const folder = mkdtempSync(join(databaseParent(), 'aerie-fuzz-pictures-'))
    const readers = createChildPool<PictureQuestion, PictureAnswer>(PARALLEL, {
      entry: new URL('../children/pictures.ts', import.meta.url),
      isAnswer: (message): message is PictureAnswer => ['picture', 'refused'].includes((message as PictureAnswer).type),
    })
    let made = 0
    return {
      create: pictureFile,
      async feed(input) {
        const file = join(folder, `${made++}.picture`)
        await writeFile(file, input)
        const answer = await readers.ask({ file })
        await rm(file)
        if (answer.type === 'refused' ? !answer.isExpected : !answer.isWhole) throw new Error(JSON.stringify(answer))
      },
      pids: () => readers.pids(),
      async close() {
        await readers.close()
        rmSync(folder, { recursive: true })
      },
    }
  },
}
