import { loadConfig } from '../config/config.ts'
import { startService, stopOnSignals } from '../main.ts'
import { createLog } from '../observe/log.ts'
import { masterKeyFile } from '../storage/master-key-file.ts'
import { type Command, parse, say } from './command.ts'
import { masterKeyNotice } from './master-key-notice.ts'

export const serve: Command = {
  usage: 'serve',
  summary: 'Start the service. Settings come from the environment and config.yml; see config.example.yml.',
  async run(args) {
    parse(args, {})
    const config = loadConfig(process.env, 'config.yml')
    const log = createLog({ level: config.logLevel })
    const service = await startService(config, log)
    stopOnSignals(service, log)
    if (service.newMasterKey) {
      const file = masterKeyFile(config.dataDir)
      process.stderr.write(`\n${masterKeyNotice(service.newMasterKey, file, process.stderr.isTTY)}\n\n`)
    }
    const { httpPort, rtspPort, rtmpPort } = service.ports
    say(JSON.stringify({ ready: true, http_port: httpPort, rtsp_port: rtspPort, rtmp_port: rtmpPort }))
  },
}
