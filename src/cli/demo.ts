import { existsSync, readFileSync } from 'node:fs'
import { systemClock } from '../core/clock.ts'
import { createDeferred } from '../core/deferred.ts'
import { startService, stopOnSignals } from '../main.ts'
import { createLog } from '../observe/log.ts'
import { masterKeyFile } from '../storage/secret-files.ts'
import { endpointsOf, endpointUrl, localEndpoint } from '../streams/media-endpoints.ts'
import { type Command, parse, say } from './command.ts'
import { createDemoApi } from './demo/demo-api.ts'
import { demoConfig } from './demo/demo-config.ts'
import { runNodesDemo } from './demo/nodes-demo.ts'
import { demoArguments, toNodesOptions } from './demo/nodes-options.ts'
import { openReceiver } from './demo/receiver.ts'
import { runSteps } from './demo/run-steps.ts'
import { startCamera } from './demo/start-camera.ts'
import { type DemoState, emptyState } from './demo/steps.ts'

export const demo: Command = {
  usage: 'demo [--nodes N [--kill [--kill-after SECONDS]]]',
  summary:
    'Start the service with a folder of its own (./data/demo), a camera that plays a clip, and a process that watches it. Settings come from the environment only. With --nodes (3 to 8) it is a service of several nodes on this machine, with NATS, PostgreSQL and an object store of its own, of which nothing is kept; --kill ends one of them after a minute, or after --kill-after seconds, to show that another goes on.',
  async run(args) {
    const nodes = toNodesOptions(parse(args, demoArguments).values)
    if (nodes) return runNodesDemo(nodes)
    const config = demoConfig(process.env)
    const log = createLog({ level: config.logLevel })
    const service = await startService(config, log)
    const { httpPort } = service.ports
    const rtsp = localEndpoint(endpointsOf('rtsp', service.ports))
    const key = config.masterKey ?? readKey(masterKeyFile(config.dataDir))
    // A service that listens everywhere, or to this machine only, is here.
    const host = /^(0\.0\.0\.0|::|127\.)/.test(config.host) ? 'localhost' : config.host
    const localUrl = `${config.tls ? 'https' : 'http'}://${host}:${httpPort}`

    const state = emptyState()
    const leaving = new AbortController()
    let camera: { stop(): Promise<void> } | undefined
    const stop = async () => {
      leaving.abort()
      await camera?.stop()
      await service.stop()
      await state.receiver?.close()
    }
    stopOnSignals({ ...service, stop }, log)

    const introduced = createDeferred()
    // What it receives is printed after the last words.
    const sayLater = (line: string) => void introduced.promise.then(() => say(line))
    const api = createDemoApi(localUrl, key)
    const context = {
      api,
      consoleApi: async () => api,
      rtspUrl: endpointUrl(rtsp, 'localhost'),
      labels: [],
      state,
      startCamera: () => void (camera = startCamera({ rtspUrl: endpointUrl(rtsp, host), key }, log)),
      openReceiver: (port: number) => openReceiver({ port, say: sayLater, clock: systemClock }),
      signal: leaving.signal,
    }
    try {
      await runSteps(context)
    } catch (error) {
      if (leaving.signal.aborted) return
      await stop()
      throw error
    }
    const shownKey = process.stdout.isTTY ? key : config.masterKey ? 'AERIE_MASTER_KEY' : masterKeyFile(config.dataDir)
    say(startedNotice(config.publicUrl ?? localUrl, state, shownKey))
    introduced.resolve()
  },
}

function readKey(file: string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  throw new Error(
    `The demo needs the master key, and ${file} is gone; give it in AERIE_MASTER_KEY, or remove ./data/demo.`,
  )
}

function startedNotice(address: string, { signInUrl, playUrl }: DemoState, key: string): string {
  return `
Aerie is running. Open this in a browser (it signs you in, once):

  ${signInUrl}

  API page         ${address}/docs
  Master key       ${key}
  Processed video  ${playUrl || '(attached before)'}

What its alert and its webhook tell is shown below. Stop everything with Ctrl-C.
`
}
