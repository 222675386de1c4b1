import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readBackup } from '../../../src/storage/backup.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { databaseParent } from '../../support/database-parent.ts'
import { backupFile, backupSeeds } from '../inputs/backup-file.ts'
import { isSentence } from '../sentence.ts'
import { type FuzzTarget } from '../target.ts'

/** So that what unpacks to more than it may is seen with small files. */
const LIMITS = { maxLineBytes: 2 ** 20, minTotalBytes: 2 * 2 ** 20, maxExpansion: 10 }
const REFUSALS =
  / (is damaged|is cut off|is not a backup of Aerie|was made by a newer|unpacks to more|cannot be brought up)/

/** Whatever stands in a backup, it is restored as a whole, or refused with a sentence and what was there stays. */
export const backup: FuzzTarget = {
  name: 'backup',
  about: 'backups of several versions to the restore, into SQLite',
  counts: { short: 30, long: 10_000 },
  async open() {
    const folder = mkdtempSync(join(databaseParent(), 'aerie-fuzz-backup-'))
    const seeds = await backupSeeds(folder)
    const database = openDatabase(`sqlite:${join(folder, 'restored.db')}`)
    await migrate(database.db)
    const file = join(folder, 'backup.gz')
    return {
      create: (random) => backupFile(random.pick(seeds), random),
      async feed(input) {
        await writeFile(file, input)
        const before = await accountsIn(database)
        try {
          await readBackup(database, file, () => {}, LIMITS)
        } catch (error) {
          if (!isSentence(error) || !REFUSALS.test(error.message)) throw error
          const after = await accountsIn(database)
          if (after !== before) throw new Error('What was refused has changed what was there.', { cause: error })
        }
      },
      async close() {
        await database.close()
        rmSync(folder, { recursive: true })
      },
    }
  },
}

async function accountsIn({ db }: Database): Promise<string> {
  return JSON.stringify(await db.selectFrom('account').selectAll().orderBy('id').execute())
}
