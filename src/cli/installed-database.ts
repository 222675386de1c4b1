import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { type Config } from '../config/config.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { hasAccounts } from '../storage/backup.ts'
import { type Database, openDatabase, sqlitePathOf } from '../storage/database.ts'

/**
 * Opens the database of an installation that is there. A command makes none: it would be one that no service knows, in a
 * folder that was a slip of the pen. `outcome` says what was not done then.
 */
export async function openInstalled(config: Config, outcome: string): Promise<Database> {
  const path = sqlitePathOf(config.databaseUrl)
  if (path !== undefined && !existsSync(path)) throw nothingThere(config, outcome)
  const database = openDatabase(config.databaseUrl)
  try {
    if (!(await hasAccounts(database))) throw nothingThere(config, outcome)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

function nothingThere({ dataDir, databaseUrl }: Config, outcome: string): Error {
  const isInDataDir = sqlitePathOf(databaseUrl)?.startsWith(`${dataDir}/`)
  if (!isInDataDir)
    return new Error(
      `no service data in ${maskSecrets(databaseUrl)}: ${outcome}. Is AERIE_DATABASE_URL right? The first start of the service makes what is needed.`,
    )
  return new Error(
    `no service data in ${fromHere(dataDir)}: ${outcome}. Set AERIE_DATA_DIR to the folder of your service (of the demo: data/demo), ` +
      'or run this where its config.yml is; the first start of the service makes what is needed.',
  )
}

/** As one would type it: `./data` for what is below, else the whole path. */
function fromHere(folder: string): string {
  const path = relative(process.cwd(), folder)
  return path.startsWith('..') ? folder : `./${path}`
}
