import { type Clock } from '../core/clock.ts'
import { type NodeId } from '../core/node.ts'
import { type NodeExchange } from '../core/node-exchange.ts'
import { type Log } from '../observe/log.ts'
import { type DetectionChannel, type EventExtra } from './detection-channel.ts'
import {
  type EventElsewhere,
  eventsTo,
  interest,
  INTEREST_MS,
  MAX_IN_INTEREST,
  RENEW_INTEREST_MS,
} from './event-messages.ts'
import { type ProcessNodesStore } from '../storage/process-nodes.store.ts'

/** Brings the events of processes on other nodes to the clients that are connected to this one. */
export interface EventsElsewhere {
  start(): void
  /** Resolves when nothing is read any more. */
  close(): Promise<void>
}

export interface EventsElsewhereDeps {
  readonly channel: DetectionChannel
  readonly isHere: (processId: string) => boolean
  readonly store: Pick<ProcessNodesStore, 'findElsewhere' | 'findEnded'>
  readonly nodeId: NodeId
  readonly exchange: Pick<NodeExchange, 'publish' | 'subscribe'>
  /** Called at each round. */
  readonly onRound: () => void
  readonly clock: Clock
  readonly log: Log
}

export function createEventsElsewhere(deps: EventsElsewhereDeps): EventsElsewhere {
  const { channel, isHere, store, nodeId, exchange, onRound, clock, log } = deps
  const closing = new AbortController()
  /** When something came of each process last, or was first wanted. */
  const lastEventAtMs = new Map<string, number>()
  let fresh = new Set<string>()
  let checking: Promise<void> | undefined
  let isFailing = false
  let running: Promise<void> | undefined

  function publishInterest(processIds: readonly string[]): void {
    for (let from = 0; from < processIds.length; from += MAX_IN_INTEREST) {
      const some = processIds.slice(from, from + MAX_IN_INTEREST)
      const wanting = (extra: EventExtra) => some.filter((processId) => channel.isWanted(processId, extra))
      exchange.publish(interest, { processIds: some, alertsOf: wanting('alert'), telemetryOf: wanting('telemetry') })
    }
  }

  /** Many come at once: a client wants up to fifty processes. */
  function publishSoon(processId: string): void {
    if (fresh.size === 0)
      queueMicrotask(() => {
        publishInterest([...fresh])
        fresh = new Set()
      })
    fresh.add(processId)
    lastEventAtMs.set(processId, lastEventAtMs.get(processId) ?? clock.steady())
  }

  function handle(event: EventElsewhere): void {
    const { processId } = event
    // It has come here meanwhile.
    if (isHere(processId) || !lastEventAtMs.has(processId)) return
    lastEventAtMs.set(processId, clock.steady())
    switch (event.type) {
      case 'message':
        return channel.onMessageElsewhere(processId, event.message, event.sequence)
      case 'status':
        return channel.onStatus(event.status, event.cause)
      case 'alert':
        return channel.onAlert(event.alert)
      case 'telemetry':
        return channel.onTelemetry(event.telemetry, event.number)
      case 'minutes-low':
        return channel.onMinutesLow(event.low)
      case 'end':
        return channel.onEnd({ id: processId, state: event.state })
    }
  }

  /** Of which nothing came: processes that have ended, and nodes that do not answer. */
  async function checkSilent(wanted: readonly string[]): Promise<void> {
    const elsewhere = await store.findElsewhere(wanted)
    for (const { processId, state, nodeId: node } of elsewhere)
      if (clock.steady() - (lastEventAtMs.get(processId) ?? Infinity) >= INTEREST_MS)
        channel.onStatus(silentStatus(processId, state, node), 'node-away')
    const found = new Set(elsewhere.map(({ processId }) => processId))
    const left = wanted.filter((processId) => !found.has(processId) && !isHere(processId))
    for (const { processId, state = 'stopped' } of await store.findEnded(left)) channel.onEnd({ id: processId, state })
  }

  async function checkOrWarn(wanted: readonly string[]): Promise<void> {
    try {
      await checkSilent(wanted)
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'it cannot be read how processes on other nodes go; trying again')
      isFailing = true
    } finally {
      checking = undefined
    }
  }

  function round(): void {
    const wanted = channel.listSubscribed().filter((processId) => !isHere(processId))
    const areWanted = new Set(wanted)
    for (const processId of lastEventAtMs.keys()) if (!areWanted.has(processId)) lastEventAtMs.delete(processId)
    for (const processId of wanted) lastEventAtMs.set(processId, lastEventAtMs.get(processId) ?? clock.steady())
    publishInterest(wanted)
    onRound()
    // Not waited for: events go on while the database is away.
    if (wanted.length > 0) checking ??= checkOrWarn(wanted)
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      round()
      await clock.sleep(RENEW_INTEREST_MS, closing.signal)
    }
  }

  exchange.subscribe(eventsTo(nodeId), handle)
  channel.onListen((processId) => void (isHere(processId) || publishSoon(processId)))
  return {
    start: () => void (running ??= run()),
    async close() {
      closing.abort()
      await Promise.all([running, checking])
    },
  }
}

function silentStatus(
  process_uuid: string,
  state: Parameters<DetectionChannel['onStatus']>[0]['state'],
  node: NodeId | null,
) {
  return {
    process_uuid,
    state,
    problem:
      node === null
        ? 'No node of this service has room for it just now.'
        : `The node ${node}, on which it runs, does not answer.`,
    last_frame_at: null,
    last_frame_age_ms: null,
    last_telemetry_age_ms: null,
  }
}
