import { loadConfig } from '../config/config.ts'
import { type ServicePorts } from '../core/service-ports.ts'
import { endExpelled, startService, stopOnSignals } from '../main.ts'
import { createLog } from '../observe/log.ts'
import { masterKeyFile } from '../storage/secret-files.ts'
import { endWithParent, isRestartedWhenExpelled, restartWhenExpelled } from './node-restarts.ts'
import { type Command, parse, say } from './command.ts'

export const serve: Command = {
  usage: 'serve',
  summary: 'Start the service. Settings come from the environment and config.yml; see config.example.yml.',
  async run(args) {
    parse(args, {})
    const config = loadConfig(process.env, 'config.yml')
    const log = createLog({ level: config.logLevel })
    if (config.cluster && !isRestartedWhenExpelled()) return restartWhenExpelled(log)
    endWithParent()
    const service = await startService(config, log, { onExpelled: endExpelled })
    stopOnSignals(service, log)
    if (service.newMasterKey) {
      const file = masterKeyFile(config.dataDir)
      process.stderr.write(`\n${masterKeyNotice(service.newMasterKey, file, process.stderr.isTTY)}\n\n`)
    }
    say(JSON.stringify({ ready: true, ...toReadyLine(service.ports) }))
  },
}

/** For programs that start the service. Ports that are not open are left out. */
function toReadyLine(ports: ServicePorts) {
  return {
    http_port: ports.httpPort,
    http_redirect_port: ports.httpRedirectPort,
    rtsp_port: ports.rtspPort,
    rtmp_port: ports.rtmpPort,
    rtsps_port: ports.rtspsPort,
    rtmps_port: ports.rtmpsPort,
  }
}

/**
 * Where the key is, or the key itself on a terminal, where somebody sees it: anything else may be a file, a journal or a collector
 * of logs, in which it would stay.
 */
export function masterKeyNotice(key: string, file: string, isTerminal: boolean): string {
  if (!isTerminal) return `Your master key is in ${file}.`
  return `Your master key, shown only now (also in ${file}):\n\n    ${key}`
}
