import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type Config, loadConfig } from '../config/config.ts'
import { dropAllTables, hasAccounts, readBackup, writeBackup } from '../storage/backup.ts'
import { lockDataDir } from '../storage/data-dir.ts'
import { openDatabase } from '../storage/database.ts'
import { migrate } from '../storage/migrate.ts'
import { type Command, parse, say, UsageError } from './command.ts'

export const backup: Command = {
  name: 'backup',
  usage: 'backup FILE',
  summary: 'Save database and settings into FILE, also while the service runs. It holds secrets: keep it safe.',
  async run(args) {
    const file = oneFile(args)
    const config = loadConfig(process.env)
    const database = openDatabase(config.databaseUrl)
    try {
      await migrate(database.db)
      const rows = await writeBackup(database, settingsFiles(config), file)
      say(`Saved ${rows} rows and the settings to ${file}.`)
    } finally {
      await database.close()
    }
  },
}

export const restore: Command = {
  name: 'restore',
  usage: 'restore FILE [--force]',
  summary: 'Bring back what `aerie backup` saved. The service must be stopped; --force replaces what is there.',
  async run(args) {
    const { values, positionals } = parse(args, { force: { type: 'boolean' } })
    const file = oneFile(positionals)
    if (!existsSync(file)) throw new UsageError(`there is no file ${file}`)
    const config = loadConfig(process.env)
    const lock = lockDataDir(config.dataDir)
    try {
      const { rows, files } = await restoreDatabase(config.databaseUrl, file, values.force === true)
      for (const [name, text] of Object.entries(files)) restoreFile(config, name, text)
      say(`Restored ${rows} rows from ${file}.`)
    } finally {
      lock.release()
    }
  },
}

async function restoreDatabase(url: string, file: string, isForced: boolean) {
  const current = openDatabase(url)
  const isFull = await hasAccounts(current)
  if (isFull && !isForced) {
    await current.close()
    throw new Error('There is data here already; `aerie restore FILE --force` replaces it.')
  }
  if (current.dialect === 'postgres') {
    try {
      if (isFull) await dropAllTables(current)
      return await readBackup(current, file)
    } finally {
      await current.close()
    }
  }
  await current.close()
  return restoreSqlite(url.slice('sqlite:'.length), file)
}

/** Into a new file that then takes the old one's place, so that a bad backup never costs what was there. */
async function restoreSqlite(path: string, file: string) {
  const fresh = `${path}.restoring`
  const remove = (base: string) => ['', '-wal', '-shm'].forEach((suffix) => rmSync(`${base}${suffix}`, { force: true }))
  remove(fresh)
  const database = openDatabase(`sqlite:${fresh}`)
  try {
    const restored = await readBackup(database, file)
    await database.foldLog()
    await database.close()
    remove(path)
    renameSync(fresh, path)
    return restored
  } catch (error) {
    await database.close()
    remove(fresh)
    throw error
  }
}

function settingsFiles(config: Config): Record<string, string> {
  const paths = [join(config.dataDir, 'master.key'), ...(config.file ? [config.file] : [])]
  return Object.fromEntries(
    paths.filter((path) => existsSync(path)).map((path) => [basename(path), readFileSync(path, 'utf8')]),
  )
}

/** The master key goes back to its place; a settings file is laid beside the data, never over one that is in use. */
function restoreFile(config: Config, name: string, text: string): void {
  const path = join(config.dataDir, basename(name))
  writeFileSync(path, text, { mode: 0o600 })
  if (name !== 'master.key') say(`The settings of then are in ${path}; start with AERIE_CONFIG=${path} to use them.`)
}

function oneFile(args: readonly string[]): string {
  const { positionals } = parse(args, {})
  if (positionals.length !== 1) throw new UsageError('name one file')
  return resolve(positionals[0]!)
}
