import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Config, loadConfig } from '../config/config.ts'
import { type BackupFiles, hasAccounts, readBackup, writeBackup } from '../storage/backup.ts'
import { lockDataDir } from '../storage/data-dir.ts'
import { openDatabase, sqlitePathOf } from '../storage/database.ts'
import { masterKeyFile, serviceSecretFile } from '../storage/secret-files.ts'
import { type Command, parse, say, UsageError } from './command.ts'
import { openInstalled } from './installed-database.ts'

export const backup: Command = {
  usage: 'backup FILE',
  summary:
    'Save the database, master.key, link.secret and the settings file into FILE, also while the service runs; not the settings in ' +
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
    const staged = stageFiles(config)
    let rows: number
    try {
      rows = await restoreDatabase(config.databaseUrl, file, values.force === true, staged.write)
    } catch (error) {
      staged.undo()
      lock.undo()
      throw error
    }
    say(`Restored ${rows} rows from ${file} into ${config.dataDir}.`)
    try {
      staged.commit()
    } finally {
      lock.release()
    }
  },
}

type TakeFiles = (files: BackupFiles) => void

async function restoreDatabase(url: string, file: string, isForced: boolean, takeFiles: TakeFiles): Promise<number> {
  await checkReplaceable(url, isForced)
  const path = sqlitePathOf(url)
  if (path) return restoreSqlite(path, file, takeFiles)
  const database = openDatabase(url)
  try {
    return await readBackup(database, file, takeFiles)
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
    return await hasAccounts(database)
  } finally {
    // The log is removed before the new file takes the old one's place; after this there is nothing in it to lose.
    await database.closeForMove()
  }
}

/** Into a new file that then takes the old one's place in one step, so that neither a bad backup nor a crash costs what was there. */
async function restoreSqlite(path: string, file: string, takeFiles: TakeFiles): Promise<number> {
  const fresh = `${path}.restoring`
  const removeLog = (base: string) => ['-wal', '-shm'].forEach((suffix) => rmSync(base + suffix, { force: true }))
  const removeFresh = () => {
    removeLog(fresh)
    rmSync(fresh, { force: true })
  }
  removeFresh()
  const database = openDatabase(`sqlite:${fresh}`)
  try {
    const rows = await readBackup(database, file, takeFiles)
    await database.closeForMove()
    removeLog(path)
    renameSync(fresh, path)
    return rows
  } catch (error) {
    await database.close()
    removeFresh()
    throw error
  }
}

function settingsFiles(config: Config): BackupFiles {
  const read = (path: string | undefined) => (path && existsSync(path) ? readFileSync(path, 'utf8') : undefined)
  return {
    masterKey: read(masterKeyFile(config.dataDir)),
    serviceSecret: read(serviceSecretFile(config.dataDir)),
    settings: read(config.file),
  }
}

/**
 * The secrets go back to their places; the settings are laid beside the data, never over those in use. All are written
 * beside their places first, and moved there once the database is restored: a full disk costs none of them.
 */
function stageFiles({ dataDir }: Config) {
  const settingsFile = join(dataDir, 'config.restored.yml')
  const written: string[] = []
  const write = (path: string, text: string | undefined) => {
    if (text === undefined) return
    written.push(path)
    writeFileSync(stagedPath(path), text, { mode: 0o600, flush: true })
  }
  return {
    write: (files: BackupFiles) => {
      write(masterKeyFile(dataDir), files.masterKey)
      write(serviceSecretFile(dataDir), files.serviceSecret)
      write(settingsFile, files.settings)
    },
    commit() {
      const failures = written.flatMap((path) => moveStaged(path) ?? [])
      if (failures.length > 0) throw new Error(failures.join('\n'))
      if (written.includes(settingsFile))
        say(
          `The settings of then are in ${settingsFile}. Look through them, since folders and addresses may be others here; ` +
            `start with AERIE_CONFIG=${settingsFile} AERIE_DATA_DIR=${dataDir} to use them.`,
        )
    },
    undo() {
      for (const path of written) rmSync(stagedPath(path), { force: true })
    },
  }
}

/** Answers what to do when it fails: by then the database is the restored one, and the file is needed. */
function moveStaged(path: string): string | undefined {
  try {
    renameSync(stagedPath(path), path)
    return undefined
  } catch (error) {
    const reason = (error as Error).message
    return `The database is restored, but ${stagedPath(path)} could not be moved to ${path} (${reason}); move it there yourself.`
  }
}

const stagedPath = (path: string) => `${path}.restoring`

function oneFile(args: readonly string[]): string {
  const { positionals } = parse(args, {})
  if (positionals.length !== 1) throw new UsageError('name one file')
  return resolve(positionals[0]!)
}
