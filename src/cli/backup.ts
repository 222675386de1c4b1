import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Config, loadConfig } from '../config/config.ts'
import { type BackupFiles, hasAccounts, readBackup, writeBackup } from '../storage/backup.ts'
import { lockDataDir } from '../storage/data-dir.ts'
import { openDatabase, sqlitePathOf } from '../storage/database.ts'
import { masterKeyFile } from '../storage/master-key-file.ts'
import { type Command, parse, say, UsageError } from './command.ts'
import { openInstalled } from './installed-database.ts'

export const backup: Command = {
  usage: 'backup FILE',
  summary:
    'Save the database, master.key and the settings file into FILE, also while the service runs; not the settings in ' +
    'the environment. It holds secrets: keep it safe.',
  async run(args) {
    const file = oneFile(args)
    const config = loadConfig(process.env, 'config.yml')
    const database = await openInstalled(config, 'nothing was saved')
    try {
      const files = settingsFiles(config)
      const rows = await writeBackup(database, files, file)
      const settings = files.settings === undefined ? '' : ` and the settings in ${config.file}`
      say(`Saved ${rows} rows${settings} to ${file}. Settings that the service has from its environment are not in it.`)
    } finally {
      await database.close()
    }
  },
}

export const restore: Command = {
  usage: 'restore FILE [--force]',
  summary: 'Bring back what `aerie backup` saved. The service must be stopped; --force replaces what is there.',
  async run(args) {
    const { values, positionals } = parse(args, { force: { type: 'boolean' } })
    const file = oneFile(positionals)
    if (!existsSync(file)) throw new UsageError(`there is no file ${file}`)
    const config = loadConfig(process.env, 'config.yml')
    const lock = lockDataDir(config.dataDir)
    try {
      const { rows, files } = await restoreDatabase(config.databaseUrl, file, values.force === true)
      restoreFiles(config, files)
      say(`Restored ${rows} rows from ${file}.`)
      lock.release()
    } catch (error) {
      lock.undo()
      throw error
    }
  },
}

async function restoreDatabase(url: string, file: string, isForced: boolean) {
  await checkReplaceable(url, isForced)
  const path = sqlitePathOf(url)
  if (path) return restoreSqlite(path, file)
  const database = openDatabase(url)
  try {
    return await readBackup(database, file)
  } finally {
    await database.close()
  }
}

/** With `--force` even a database that can't be read any more may be replaced. */
async function checkReplaceable(url: string, isForced: boolean): Promise<void> {
  const path = sqlitePathOf(url)
  if (path !== undefined && !existsSync(path)) return
  let isFull: boolean
  try {
    isFull = await lookInside(url)
  } catch (error) {
    if (isForced) return
    const reason = (error as Error).message
    throw new Error(`The database here cannot be read (${reason}); \`aerie restore FILE --force\` replaces it.`, {
      cause: error,
    })
  }
  if (isFull && !isForced) throw new Error('There is data here already; `aerie restore FILE --force` replaces it.')
}

async function lookInside(url: string): Promise<boolean> {
  const database = openDatabase(url)
  try {
    const isFull = await hasAccounts(database)
    // The log is removed before the new file takes the old one's place; after this there is nothing in it to lose.
    await database.foldLog()
    return isFull
  } finally {
    await database.close()
  }
}

/** Into a new file that then takes the old one's place in one step, so that neither a bad backup nor a crash costs what was there. */
async function restoreSqlite(path: string, file: string) {
  const fresh = `${path}.restoring`
  const removeLog = (base: string) => ['-wal', '-shm'].forEach((suffix) => rmSync(base + suffix, { force: true }))
  const removeFresh = () => {
    removeLog(fresh)
    rmSync(fresh, { force: true })
  }
  removeFresh()
  const database = openDatabase(`sqlite:${fresh}`)
  try {
    const restored = await readBackup(database, file)
    await database.foldLog()
    await database.close()
    removeLog(path)
    renameSync(fresh, path)
    return restored
  } catch (error) {
    await database.close()
    removeFresh()
    throw error
  }
}

function settingsFiles(config: Config): BackupFiles {
  const read = (path: string | undefined) => (path && existsSync(path) ? readFileSync(path, 'utf8') : undefined)
  return { masterKey: read(masterKeyFile(config.dataDir)), settings: read(config.file) }
}

/** The master key goes back to its place; the settings are laid beside the data, never over those in use. */
function restoreFiles({ dataDir }: Config, { masterKey, settings }: BackupFiles): void {
  if (masterKey !== undefined) writeFileSync(masterKeyFile(dataDir), masterKey, { mode: 0o600 })
  if (settings === undefined) return
  const path = join(dataDir, 'config.restored.yml')
  writeFileSync(path, settings, { mode: 0o600 })
  say(
    `The settings of then are in ${path}. Look through them, since folders and addresses may be others here; start with ` +
      `AERIE_CONFIG=${path} AERIE_DATA_DIR=${dataDir} to use them.`,
  )
}

function oneFile(args: readonly string[]): string {
  const { positionals } = parse(args, {})
  if (positionals.length !== 1) throw new UsageError('name one file')
  return resolve(positionals[0]!)
}
