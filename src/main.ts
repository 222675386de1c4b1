import { type App, type AppOptions, createApp } from './app.ts'
import { type Config } from './config/config.ts'
import { openDoors } from './config/open-doors.ts'
import { noteRunningSettings } from './config/running-settings.ts'
import { missingConsole } from './console/console-files.ts'
import { systemClock } from './core/clock.ts'
import { type ServicePorts } from './core/service-ports.ts'
import { createLog, type Log } from './observe/log.ts'
import { lockDataDir } from './storage/data-dir.ts'
import { createDiskReserve } from './storage/disk-reserve.ts'
import { keepNewMasterKey, markMasterKeyShown, readUnshownMasterKey, removeMasterKey } from './storage/secret-files.ts'
import { endAtOnce, endOrphans, markChildren } from './supervise/orphans.ts'
import { listRunningChildren } from './supervise/running-children.ts'

const STOP_DEADLINE_MS = 9_000
/** With this code a node ends that is to be started again: it was declared dead, and joins anew. As in `sysexits.h`: try again. */
export const EXPELLED_EXIT_CODE = 75
/** Ctrl-C reaches a service that npm started twice, from the terminal and from npm: that is one wish. */
const SAME_SIGNAL_MS = 1_000

export interface Service {
  readonly ports: ServicePorts
  /** To be shown now: this start made it, or one before that came to nothing. */
  readonly newMasterKey: string | undefined
  /** Resolves when everything is closed. */
  stop(): Promise<void>
}

export async function startService(
  config: Config,
  log: Log = createLog({ level: config.logLevel }),
  options: Pick<AppOptions, 'onExpelled'> = {},
): Promise<Service> {
  // To remove something on a full disk, the service must start; even the lock takes room.
  createDiskReserve(config.databaseUrl).makeRoom('removal')
  const lock = lockDataDir(config.dataDir)
  let app: App | undefined
  let forgetSettings = () => {}
  const stop = async () => {
    await app?.close()
    forgetSettings()
    lock.release()
  }
  try {
    const orphans = await endOrphans(markChildren(config.dataDir), systemClock)
    if (orphans > 0) log.warn({ orphans }, 'child processes of an earlier service were still there; they were ended')
    app = await createAppWithKey(config, log, options)
    const ports = await app.listen()
    forgetSettings = noteRunningSettings(config, ports)
    log.info({ ...ports, data_dir: config.dataDir }, 'ready')
    for (const sentence of [...config.unknownVariables, ...openDoors(config), ...missingConsole()]) log.warn(sentence)
    const newMasterKey = config.masterKey ? undefined : readUnshownMasterKey(config.dataDir)
    markMasterKeyShown(config.dataDir)
    return { ports, newMasterKey, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function createAppWithKey(config: Config, log: Log, options: AppOptions): Promise<App> {
  let keptKey: string | undefined
  const keepMasterKey = (key: string) => keepNewMasterKey(config.dataDir, (keptKey = key))
  const app = await createApp(config, log, { ...options, keepMasterKey })
  // Another start on the same database was faster, so the key that was kept is nobody's.
  if (keptKey !== app.newMasterKey) removeMasterKey(config.dataDir)
  return app
}

/**
 * A node whose work is another's by now ends without a word to anybody: what it still had to say, that one says. It is started anew by
 * whoever started it (`EXPELLED_EXIT_CODE`).
 */
export function endExpelled(): never {
  for (const { pid } of listRunningChildren()) endAtOnce(pid)
  process.exit(EXPELLED_EXIT_CODE)
}

/** SIGTERM, SIGINT and SIGHUP stop the service in order and end the process with 0; a second one that comes later, or the deadline, ends it at once. */
export function stopOnSignals(service: Pick<Service, 'stop'>, log: Log, deadlineMs = STOP_DEADLINE_MS): void {
  let stoppingSinceMs: number | undefined
  const stop = (signal: string) => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    stoppingSinceMs = performance.now()
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.error('not everything could be closed in time')
      process.exit(1)
    }, deadlineMs).unref()
    service.stop().then(
      () => {
        log.info('stopped')
        process.exit(0)
      },
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop)
}
