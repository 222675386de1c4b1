import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newApiKey } from '../../accounts/api-key.ts'
import { loadConfig } from '../../config/config.ts'
import { systemClock } from '../../core/clock.ts'
import { createDeferred } from '../../core/deferred.ts'
import { once } from '../../core/once.ts'
import { stopOnSignals } from '../../main.ts'
import { createLog } from '../../observe/log.ts'
import { masterKeyFile, writeMasterKey } from '../../storage/secret-files.ts'
import { say } from '../command.ts'
import { createDemoApi, type DemoApi } from './demo-api.ts'
import { type DemoNode, startDemoNode } from './demo-node.ts'
import { findServers } from './installed-servers.ts'
import { type NodesOptions } from './nodes-options.ts'
import { createNodesView } from './nodes-view.ts'
import { openReceiver } from './receiver.ts'
import { runSteps } from './run-steps.ts'
import { startSharedServers } from './shared-servers.ts'
import { startCamera } from './start-camera.ts'
import { emptyState } from './steps.ts'
import { followTakeover, type TakeoverView } from './takeover.ts'

/** Of all nodes but the first, to which the camera publishes: so the process runs on another. */
const LABEL = 'detection'
/** Nodes take ten seconds at most. */
const STOP_DEADLINE_MS = 30_000

interface PlacedNode {
  readonly node: DemoNode
  readonly url: string
  readonly api: DemoApi
}

/** Several nodes on this machine, with what they share, in a folder that is removed at the end. */
export async function runNodesDemo({ count, killAfterMs }: NodesOptions): Promise<void> {
  const installed = findServers()
  // The nodes judge the settings; this is about what they say by themselves.
  const { AERIE_LOG_LEVEL = 'error', AERIE_MASTER_KEY } = process.env
  const { logLevel } = loadConfig({ AERIE_LOG_LEVEL })
  const log = createLog({ level: logLevel })
  const folder = mkdtempSync(join(tmpdir(), 'aerie-nodes-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

  const key = AERIE_MASTER_KEY ?? newApiKey()
  writeMasterKey(folder, key)

  const leaving = new AbortController()
  const closers: (() => Promise<void>)[] = []
  const stop = once(async () => {
    leaving.abort()
    // Each needs those that were started before it.
    for (const close of closers.toReversed()) await close()
  })
  stopOnSignals({ stop }, log, STOP_DEADLINE_MS)
  const introduced = createDeferred()
  // What it receives is printed after the last words.
  const sayLater = (line: string) => void introduced.promise.then(() => sayTimed(line))
  const progress = (what: string) => {
    leaving.signal.throwIfAborted()
    process.stderr.write(`aerie: ${what} …\n`)
  }

  try {
    progress('starting NATS, PostgreSQL and an object store')
    const onStarted = (close: () => Promise<void>) => void closers.push(close)
    const shared = await startSharedServers({ installed, folder, onCrash: sayTimed, onStarted })
    const names = Array.from({ length: count }, (_, index) => `node-${index + 1}`)
    const nodes: DemoNode[] = []
    closers.push(async () => void (await Promise.all(nodes.map((node) => node.stop()))))
    const start = (name: string, labels: string) => {
      leaving.signal.throwIfAborted()
      const settings = { ...shared, AERIE_MASTER_KEY: key, AERIE_NODE_LABELS: labels }
      const node = startDemoNode({ name, folder: join(folder, name), settings, say: sayTimed })
      nodes.push(node)
      return node
    }
    progress(`starting ${names.join(', ')}`)
    const first = start(names[0]!, '')
    const camera = await first.ready
    // It has made the tables.
    for (const name of names.slice(1)) start(name, LABEL)
    const placed: PlacedNode[] = await Promise.all(
      nodes.map(async (node) => {
        const { url } = await node.ready
        return { node, url, api: createDemoApi(url, key) }
      }),
    )

    const state = emptyState()
    const view = createNodesView(placed[0]!.api, () => state.processId)
    let withProcess = placed[1]!
    let withConsole = placed[2]!
    closers.push(async () => state.receiver?.close())
    await runSteps({
      api: placed[0]!.api,
      consoleApi: async () => {
        const name = await view.nodeOfProcess()
        withProcess = placed.find(({ node }) => node.name === name)!
        withConsole = placed.slice(1).find((one) => one !== withProcess)!
        return withConsole.api
      },
      rtspUrl: camera.rtspUrl,
      labels: [LABEL],
      state,
      startCamera() {
        const running = startCamera({ rtspUrl: camera.rtspUrl, key }, log, () =>
          sayTimed('The camera has ended by itself; it is started again.'),
        )
        closers.push(() => running.stop())
      },
      openReceiver: (port) => openReceiver({ port, say: sayLater, clock: systemClock }),
      signal: leaving.signal,
    })
    leaving.signal.throwIfAborted()
    const roles = placed.map((one) => {
      const role = one === placed[0] ? 'the camera publishes to it' : one === withProcess ? 'detects people in it' : ''
      return `  ${one.node.name}  ${one.url}  ${one === withConsole ? 'has this console' : role}`.trimEnd()
    })
    const shownKey = process.stdout.isTTY ? key : AERIE_MASTER_KEY ? 'AERIE_MASTER_KEY' : masterKeyFile(folder)
    say(startedNotice(state.signInUrl, withConsole, roles, shownKey))
    introduced.resolve()
    if (killAfterMs !== undefined) await killOne(killAfterMs, { placed, view, signal: leaving.signal })
  } catch (error) {
    if (leaving.signal.aborted) return
    await stop()
    throw error
  }
}

interface KillOptions {
  readonly placed: readonly PlacedNode[]
  /** Of the first node, which has no process, and so stays. */
  readonly view: TakeoverView
  readonly signal: AbortSignal
}

/** The service goes on whatever becomes of this. */
async function killOne(afterMs: number, { placed, view, signal }: KillOptions): Promise<void> {
  const seconds = afterMs / 1000
  sayTimed(`The node that has the process is killed in ${seconds} s: look at the pages Live and Nodes.`)
  await systemClock.sleep(afterMs, signal)
  if (signal.aborted) return
  try {
    const name = await view.nodeOfProcess()
    const found = placed.find(({ node }) => node.name === name)
    if (!found) return sayTimed('No node has the process any more: none is killed.')
    await found.node.kill()
    const leaseSeconds = process.env['AERIE_NODE_LEASE'] ?? 15
    sayTimed(
      `${found.node.name} was killed, with the process on it. The others wait for ${leaseSeconds} s to hear of it.`,
    )
    await followTakeover(found.node.name, { view, say: sayTimed, clock: systemClock, signal })
  } catch (error) {
    if (!signal.aborted) sayTimed(`Nobody says what becomes of the process: ${(error as Error).message}`)
  }
}

function sayTimed(line: string): void {
  say(`${new Date().toTimeString().slice(0, 8)}  ${line}`)
}

function startedNotice(signInUrl: string, { node, url }: PlacedNode, roles: readonly string[], key: string): string {
  return `
Aerie is running, as one service on ${roles.length} nodes. Open the console of ${node.name} in a browser (it signs you in, once):

  ${signInUrl}

${roles.join('\n')}

  API page    ${url}/docs
  Master key  ${key}

Any of them answers for all. What happens is shown below. Stop everything with Ctrl-C: nothing of it is kept.
`
}
