import { type Clock } from '../core/clock.ts'
import { type NodeId } from '../core/node.ts'
import { type NodeExchange } from '../core/node-exchange.ts'
import { type DetectionChannel, type EventExtra } from './detection-channel.ts'
import { type EventElsewhere, eventsTo, interest, INTEREST_MS } from './event-messages.ts'

/**
 * Sends the events of processes that run here to the nodes that have clients of them, and nothing to anybody else. Nothing waits: what
 * NATS does not take at once is lost, as it is for a client that reads too slowly.
 */
export interface EventForwarder {
  /** Forgets those that do not want it any more. */
  sweep(): void
  /** How many processes are sent to how many nodes, summed up. */
  count(): number
  close(): void
}

export interface EventForwarderDeps {
  readonly channel: Pick<DetectionChannel, 'listen'>
  readonly isHere: (processId: string) => boolean
  readonly exchange: Pick<NodeExchange, 'publish' | 'subscribe'>
  readonly clock: Pick<Clock, 'steady'>
}

interface Forwarded {
  readonly untilMs: number
  readonly leave: () => void
}

/** Of processes and nodes: 100 nodes with clients of 50 processes each. */
const MAX_FORWARDED = 5_000

export function createEventForwarder({ channel, isHere, exchange, clock }: EventForwarderDeps): EventForwarder {
  const forwarded = new Map<string, Forwarded>()

  function forward(processId: string, node: NodeId, extras: ReadonlySet<EventExtra>): void {
    const topic = eventsTo(node)
    const send = (event: EventElsewhere) => exchange.publish(topic, event)
    const key = `${processId} ${node}`
    const forget = () => void forwarded.delete(key)
    forwarded.get(key)?.leave()
    // Who comes is sent how it goes, so each renewal is answered with that: a client may be new, or what was sent may be lost.
    const leave = channel.listen(processId, {
      take: (message, sequence) => send({ type: 'message', processId, message, sequence }),
      status: (status, cause) => send({ type: 'status', processId, status, cause }),
      minutesLow: (low) => send({ type: 'minutes-low', processId, low: { ...low, processIds: [...low.processIds] } }),
      ...(extras.has('alert') && { alert: (alert) => send({ type: 'alert', processId, alert }) }),
      ...(extras.has('telemetry') && {
        telemetry: (telemetry, number) => send({ type: 'telemetry', processId, telemetry, number }),
      }),
      end({ state }) {
        send({ type: 'end', processId, state })
        forget()
      },
      // The node to which it has gone hears of the interest when it is renewed.
      moved: forget,
    })
    forwarded.set(key, { leave, untilMs: clock.steady() + INTEREST_MS })
  }

  function forgetAll(isOver: (one: Forwarded) => boolean): void {
    for (const [key, one] of forwarded) {
      if (!isOver(one)) continue
      one.leave()
      forwarded.delete(key)
    }
  }

  exchange.subscribe(interest, ({ processIds, alertsOf, telemetryOf }, from) => {
    const [alerts, telemetry] = [new Set(alertsOf), new Set(telemetryOf)]
    for (const processId of processIds) {
      if (!isHere(processId) || (forwarded.size >= MAX_FORWARDED && !forwarded.has(`${processId} ${from}`))) continue
      const extras = new Set<EventExtra>()
      if (alerts.has(processId)) extras.add('alert')
      if (telemetry.has(processId)) extras.add('telemetry')
      forward(processId, from, extras)
    }
  })

  return {
    sweep: () => forgetAll(({ untilMs }) => untilMs <= clock.steady()),
    count: () => forwarded.size,
    close: () => forgetAll(() => true),
  }
}
