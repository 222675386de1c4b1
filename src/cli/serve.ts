import { loadConfig } from '../config/config.ts'
import { startService, stopOnSignals } from '../main.ts'
import { createLog } from '../observe/log.ts'
import { type Command, parse, say } from './command.ts'

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
      process.stderr.write(
        `\nYour master key, shown only now (also in ${config.dataDir}/master.key):\n\n    ${service.newMasterKey}\n\n`,
      )
    }
    const { httpPort, rtspPort, rtmpPort } = service.ports
    say(JSON.stringify({ ready: true, http_port: httpPort, rtsp_port: rtspPort, rtmp_port: rtmpPort }))
  },
}
