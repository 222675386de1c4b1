import { type Clock } from '../core/clock.ts'
import { trimEndSlashes } from '../core/url-text.ts'
import { type RelayRoute } from '../media/messages.ts'
import { type Log } from '../observe/log.ts'
import { type RelayTokens } from '../streams/relay-tokens.ts'
import { type Streams } from '../streams/streams.module.ts'
import { type RelayAnswer, type RelayCommand } from './relay-commands.ts'

/** Joins the media servers of the nodes: how a stream of one comes to another. */
export interface ClusterRelays {
  /** What another node requests of this one. Never rejects. */
  handle(from: string, command: RelayCommand): Promise<RelayAnswer>
  /** It was declared dead: nothing is pushed there any more. */
  onNodeGone(nodeId: string): void
  start(): void
  close(): void
}

export interface ClusterRelaysDeps {
  readonly streams: Pick<Streams, 'nodeRelays'> & {
    readonly localPaths: Pick<Streams['localPaths'], 'isLive' | 'onGone'>
    readonly remotePaths: Pick<Streams['remotePaths'], 'find'>
    readonly pulledPaths: Pick<Streams['pulledPaths'], 'has' | 'hold' | 'listHeld' | 'onHold'>
  }
  readonly tokens: Pick<RelayTokens, 'issue'>
  readonly nodes: {
    /** Where other nodes reach its media server; null where they cannot. */
    rtspUrlOf(nodeId: string): string | null
    /** The same of this one. */
    ownRtspUrl(): string | null
  }
  /** Rejects when that node does not answer within half a minute. */
  readonly request: (nodeId: string, command: RelayCommand) => Promise<RelayAnswer>
  /** Another node has taken a path over from us. */
  readonly settle: (path: string) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

/** A node that could not be dialled is asked to push at once for so long. */
const REMEMBER_UNREACHABLE_MS = 60_000
const HOLD_MS = 15_000
const RENEW_HOLDS_EVERY_MS = 5_000

const urlOn = (rtspUrl: string, path: string, token: string) => `${trimEndSlashes(rtspUrl)}/${path}?token=${token}`

export function createClusterRelays(deps: ClusterRelaysDeps): ClusterRelays {
  const { streams, tokens, nodes, request, settle, clock, log } = deps
  const { localPaths, remotePaths, nodeRelays, pulledPaths } = streams
  const unreachableSince = new Map<string, number>()
  /** How to end what is pushed, by node and path. */
  const pushes = new Map<string, Map<string, () => void>>()
  const holds = new Map<string, { until: number }>()
  const closing = new AbortController()

  function isUnreachable(nodeId: string): boolean {
    const since = unreachableSince.get(nodeId)
    if (since === undefined) return false
    if (clock.steady() - since < REMEMBER_UNREACHABLE_MS) return true
    return !unreachableSince.delete(nodeId)
  }

  async function route(path: string, failure?: string): Promise<RelayRoute> {
    const remote = remotePaths.find(path)
    if (!remote) return { kind: 'none', sentence: `Nothing is being published to ${path} now; try again.` }
    const { nodeId } = remote
    if (failure !== undefined) {
      log.warn({ path, node: nodeId, why: failure }, 'a node cannot be reached by RTSP: it is asked to push')
      unreachableSince.set(nodeId, clock.steady())
    }
    const rtspUrl = nodes.rtspUrlOf(nodeId)
    if (rtspUrl !== null && !isUnreachable(nodeId))
      return { kind: 'pull', url: urlOn(rtspUrl, path, tokens.issue('read', path)) }
    return requestPush(nodeId, path)
  }

  async function requestPush(nodeId: string, path: string): Promise<RelayRoute> {
    const none = (why: string): RelayRoute => ({ kind: 'none', sentence: `It is live on the node "${nodeId}", ${why}` })
    const ownUrl = nodes.ownRtspUrl()
    if (ownUrl === null) return none('which cannot be reached from here, nor this node from there.')
    const url = urlOn(ownUrl, path, tokens.issue('publish', path))
    try {
      const answer = await request(nodeId, { type: 'push', path, url })
      if (answer.ok) return { kind: 'push' }
      // It may be reached by RTSP all the same: a stream that has just ended is there by neither way.
      unreachableSince.delete(nodeId)
      return none(`which cannot send it here: ${answer.sentence}`)
    } catch (error) {
      log.warn({ err: error, path, node: nodeId }, 'a node does not answer')
      return none('which does not answer; try again in a moment.')
    }
  }

  async function push(to: string, path: string, url: string): Promise<RelayAnswer> {
    const isHere = localPaths.isLive(path) || pulledPaths.has(path)
    if (!isHere) return { ok: false, sentence: `Nothing is being published to ${path} there.` }
    try {
      const end = await nodeRelays.push(path, url)
      const ofNode = pushes.get(to) ?? new Map<string, () => void>()
      pushes.set(to, ofNode.set(path, end))
      return { ok: true }
    } catch (error) {
      return { ok: false, sentence: (error as Error).message }
    }
  }

  function forgetPushes(path: string): void {
    for (const [node, ofNode] of pushes) if (ofNode.delete(path) && ofNode.size === 0) pushes.delete(node)
  }

  async function hold(path: string): Promise<void> {
    const until = clock.steady() + HOLD_MS
    const known = holds.get(path)
    if (known) return void (known.until = until)
    const held = { until }
    holds.set(path, held)
    const release = pulledPaths.hold(path)
    while (!closing.signal.aborted && clock.steady() < held.until)
      await clock.sleep(held.until - clock.steady(), closing.signal)
    holds.delete(path)
    release()
  }

  /** Somebody here waits for the camera: the node that calls it keeps it connected. */
  function holdThere(path: string): void {
    const remote = remotePaths.find(path)
    if (!remote?.isCamera) return
    request(remote.nodeId, { type: 'hold', path }).catch((error: unknown) => {
      log.warn({ err: error, path, node: remote.nodeId }, 'a camera of another node is not held')
    })
  }

  async function renewHolds(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(RENEW_HOLDS_EVERY_MS, closing.signal)
      if (!closing.signal.aborted) pulledPaths.listHeld().forEach(holdThere)
    }
  }

  return {
    async handle(from, command) {
      switch (command.type) {
        case 'push':
          return push(from, command.path, command.url)
        case 'hold':
          if (pulledPaths.has(command.path)) void hold(command.path)
          return { ok: true }
        case 'settle-path':
          await settle(command.path)
          return { ok: true }
      }
    },
    onNodeGone(nodeId) {
      pushes.get(nodeId)?.forEach((end) => end())
      pushes.delete(nodeId)
      unreachableSince.delete(nodeId)
    },
    start() {
      nodeRelays.routeBy(route)
      localPaths.onGone(forgetPushes)
      pulledPaths.onHold(holdThere)
      void renewHolds()
    },
    close: () => closing.abort(),
  }
}
