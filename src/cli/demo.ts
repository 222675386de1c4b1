import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../core/clock.ts'
import { createDeferred } from '../core/deferred.ts'
import { startService, stopOnSignals } from '../main.ts'
import { createLog } from '../observe/log.ts'
import { masterKeyFile } from '../storage/secret-files.ts'
import { endpointsOf, endpointUrl, localEndpoint } from '../streams/media-endpoints.ts'
import { startChild } from '../supervise/child.ts'
import { alwaysRestart } from '../supervise/restart-policy.ts'
import { type Command, parse, say } from './command.ts'
import { type CameraOrder } from './demo/clip-camera.ts'
import { createDemoApi } from './demo/demo-api.ts'
import { demoConfig } from './demo/demo-config.ts'
import { openReceiver } from './demo/receiver.ts'
import { demoSteps, type DemoState } from './demo/steps.ts'

const entry = new URL('./demo/camera.js', import.meta.url)
const clip = fileURLToPath(new URL('../../assets/demo/people-walking.mp4', import.meta.url))

export const demo: Command = {
  usage: 'demo',
  summary:
    'Start the service with a folder of its own (./data/demo), a camera that plays a clip, and a process that watches it. Settings come from the environment only.',
  async run(args) {
    parse(args, {})
    const config = demoConfig(process.env)
    const log = createLog({ level: config.logLevel })
    const service = await startService(config, log)
    const { httpPort } = service.ports
    const rtsp = localEndpoint(endpointsOf('rtsp', service.ports))
    const key = config.masterKey ?? readKey(masterKeyFile(config.dataDir))
    // A service that listens everywhere, or to this machine only, is here.
    const host = /^(0\.0\.0\.0|::|127\.)/.test(config.host) ? 'localhost' : config.host
    const localUrl = `${config.tls ? 'https' : 'http'}://${host}:${httpPort}`

    const state: DemoState = { sourceId: '', processId: '', playUrl: '', signInUrl: '', receiver: undefined }
    const leaving = new AbortController()
    let camera: { stop(): Promise<void> } | undefined
    const stop = async () => {
      leaving.abort()
      await camera?.stop()
      await service.stop()
      await state.receiver?.close()
    }
    stopOnSignals({ ...service, stop }, log)

    const startCamera = () => {
      const url = `${endpointUrl(rtsp, host)}/admin/demo?api_key=${encodeURIComponent(key)}`
      camera = startChild<CameraOrder, never>({
        name: 'demo camera',
        entry,
        clock: systemClock,
        log,
        restart: alwaysRestart,
        onStart: (send) => send({ file: clip, url }),
        onMessage: () => {},
      })
    }
    const introduced = createDeferred()
    // What it receives is printed after the last words.
    const sayLater = (line: string) => void introduced.promise.then(() => say(line))
    const context = {
      api: createDemoApi(localUrl, key),
      rtspUrl: endpointUrl(rtsp, 'localhost'),
      state,
      startCamera,
      openReceiver: (port: number) => openReceiver({ port, say: sayLater, clock: systemClock }),
      signal: leaving.signal,
    }
    try {
      for (const { name, run } of demoSteps) {
        process.stderr.write(`aerie: ${name} …\n`)
        await run(context)
      }
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
