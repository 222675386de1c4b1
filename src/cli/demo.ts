import { existsSync, readFileSync } from 'node:fs'
import { loadConfig } from '../config/config.ts'
import { startService, stopOnSignals } from '../main.ts'
import { createLog } from '../observe/log.ts'
import { masterKeyFile } from '../storage/master-key-file.ts'
import { type Command, parse, say } from './command.ts'

export const demo: Command = {
  usage: 'demo',
  summary: 'Start the service with a folder of its own (./data/demo) and say where to look.',
  async run(args) {
    parse(args, {})
    const config = loadConfig({ AERIE_DATA_DIR: './data/demo', AERIE_LOG_LEVEL: 'warn', ...process.env }, 'config.yml')
    const log = createLog({ level: config.logLevel })
    const service = await startService(config, log)
    stopOnSignals(service, log)
    const keyFile = masterKeyFile(config.dataDir)
    const key = config.masterKey ?? (existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : '(not kept here)')
    const address = config.publicUrl ?? `${config.tls ? 'https' : 'http'}://localhost:${service.ports.httpPort}`
    say(`
Aerie is running.

  Address     ${address}
  API page    ${address}/docs
  Master key  ${key}

Try it:       curl -H "api_key: ${key}" ${address}/user_info
Stop it:      Ctrl-C
`)
  },
}
