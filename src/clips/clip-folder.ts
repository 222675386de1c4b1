import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Clip, clipFile, CLIPS } from './clip.ts'

/** Where clips are written on this disk. What is not whole has another name, and is nobody's after a crash. */
export interface ClipFolder {
  /** An empty folder for what is brought for a clip, and the beginning of the names of its parts. */
  prepare(clip: Pick<Clip, 'accountId' | 'id'>): Promise<{ readonly scratch: string; readonly target: string }>
  /** These many parts are whole. */
  keep(clip: Pick<Clip, 'accountId' | 'id'>, parts: number): Promise<void>
  /** What a cut leaves behind; with `isAll` its parts too. */
  tidy(clip: Pick<Clip, 'accountId' | 'id'>, isAll: boolean): Promise<void>
  /** After a crash: nobody cuts anything yet. */
  restore(): Promise<void>
}

const SCRATCH = 'scratch'
const PARTIAL = '.partial'

export function createClipFolder(dataDir: string): ClipFolder {
  const root = join(dataDir, CLIPS)
  const pathOf = (clip: Pick<Clip, 'accountId' | 'id'>, n: number) => join(dataDir, clipFile(clip, n))
  const scratchOf = ({ id }: Pick<Clip, 'id'>) => join(root, SCRATCH, id)

  async function removeFrom(folder: string, isUnwanted: (name: string) => boolean): Promise<void> {
    const names = await readdir(folder).catch(() => [])
    for (const name of names.filter(isUnwanted)) await rm(join(folder, name), { force: true })
  }

  async function tidy(clip: Pick<Clip, 'accountId' | 'id'>, isAll: boolean): Promise<void> {
    await rm(scratchOf(clip), { recursive: true, force: true })
    const isOf = (name: string) => name.startsWith(`${clip.id}-`) && (isAll || name.endsWith(PARTIAL))
    await removeFrom(dirname(pathOf(clip, 1)), isOf)
  }

  return {
    async prepare(clip) {
      await tidy(clip, true)
      await mkdir(scratchOf(clip), { recursive: true, mode: 0o700 })
      await mkdir(dirname(pathOf(clip, 1)), { recursive: true, mode: 0o700 })
      return { scratch: scratchOf(clip), target: join(dirname(pathOf(clip, 1)), clip.id) }
    },
    async keep(clip, parts) {
      for (let n = 1; n <= parts; n++) await rename(`${pathOf(clip, n)}${PARTIAL}`, pathOf(clip, n))
    },
    tidy,
    async restore() {
      await rm(join(root, SCRATCH), { recursive: true, force: true })
      const folders = await readdir(root, { withFileTypes: true }).catch(() => [])
      for (const folder of folders)
        if (folder.isDirectory()) await removeFrom(join(root, basename(folder.name)), (name) => name.endsWith(PARTIAL))
    },
  }
}
