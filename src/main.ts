import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from './app.ts'
import { type Config } from './config/config.ts'
import { createLog, type Log } from './observe/log.ts'
import { lockDataDir } from './storage/data-dir.ts'

const STOP_DEADLINE_MS = 9_000

export interface Service {
  readonly ports: { readonly httpPort: number; readonly rtspPort: number; readonly rtmpPort: number }
  readonly newMasterKey: string | undefined
  /** Resolves when everything is closed. */
  stop(): Promise<void>
}

/** Starts the service in this process. */
export async function startService(config: Config, log: Log = createLog({ level: config.logLevel })): Promise<Service> {
  const lock = lockDataDir(config.dataDir)
  try {
    const app = await createApp(config, log)
    if (app.newMasterKey) keepMasterKey(config.dataDir, app.newMasterKey)
    const ports = await app.listen()
    log.info({ ...ports, data_dir: config.dataDir }, 'ready')
    return {
      ports,
      newMasterKey: app.newMasterKey,
      async stop() {
        await app.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

function keepMasterKey(dataDir: string, key: string): void {
  const file = join(dataDir, 'master.key')
  writeFileSync(file, `${key}\n`, { mode: 0o600 })
  chmodSync(file, 0o600)
}

/** SIGTERM and SIGINT stop the service in order and end the process with 0; a second one, or the deadline, ends it at once. */
export function stopOnSignals(service: Service, log: Log): void {
  let isStopping = false
  const stop = (signal: string) => {
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.error('not everything could be closed in time')
      process.exit(1)
    }, STOP_DEADLINE_MS).unref()
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
