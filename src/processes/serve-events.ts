import { type ServerResponse } from 'node:http'
import { createClientQueue } from '../core/client-queue.ts'
import { isWarningNew, toMinutesLowFields } from '../core/minutes.ts'
import { type DetectionChannel } from './detection-channel.ts'
import { messageForOthers } from './detection-message.ts'
import { type AskedExtra } from './asked-extras.ts'
import { type Process } from './process.ts'
import { statusForOthers } from './status-message.ts'

/** Often enough that nobody between us and the client takes the connection for dead. */
const HEARTBEAT_MS = 15_000

/** A process whose events are sent. */
export interface HeardProcess {
  readonly process: Process
  /** Its client was given the right to its events: the rest is its owner's business. */
  readonly isOfOthers: boolean
}

/** Events on their way to a client. */
export interface EventStream {
  /** This process has ended; when it was the last one, so does the stream. */
  end(process: Process): void
}

/** Sends what these processes see as server-sent events, until the last of them has ended. */
export function serveEvents(
  raw: ServerResponse,
  headers: Readonly<Record<string, string>>,
  channel: DetectionChannel,
  heard: readonly HeardProcess[],
  extras: readonly AskedExtra[] = [],
): EventStream {
  // A client that has left meanwhile emits no other `close`.
  if (raw.destroyed) return { end: () => {} }
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    // Proxies that collect answers would keep the messages to themselves.
    'x-accel-buffering': 'no',
  })
  raw.flushHeaders()
  const queue = createClientQueue({
    send: (text) => new Promise((resolve, reject) => raw.write(text, (error) => (error ? reject(error) : resolve()))),
  })
  const left = new Set(heard.map(({ process }) => process.id))
  let warnedAllottedSeconds: number | null = null

  const close = () => void queue.finish().then((isSent) => (isSent ? raw.end() : raw.destroy()))

  function end({ id, state }: Pick<Process, 'id' | 'state'>): void {
    if (!left.delete(id)) return
    queue.push(`event: end\ndata: ${JSON.stringify({ process_uuid: id, state })}\n\n`)
    if (left.size === 0) close()
  }

  const leaving = heard.map(({ process: { id: processId }, isOfOthers }) =>
    channel.listen(processId, {
      take(message, sequence) {
        queue.push(`id: ${sequence}\ndata: ${isOfOthers ? messageForOthers(message) : message}\n\n`)
      },
      minutesLow(low) {
        if (isOfOthers || !isWarningNew(low, warnedAllottedSeconds)) return
        warnedAllottedSeconds = low.allottedSeconds
        const data = { process_uuid: processId, ...toMinutesLowFields(low) }
        queue.push(`event: minutes-low\ndata: ${JSON.stringify(data)}\n\n`)
      },
      status(status) {
        const data = isOfOthers ? statusForOthers(status) : status
        queue.push(`event: status\ndata: ${JSON.stringify(data)}\n\n`)
      },
      ...(extras.includes('alerts') && {
        alert: (alert) => queue.push(`event: alert\ndata: ${JSON.stringify(alert)}\n\n`),
      }),
      ...(extras.includes('telemetry') && {
        telemetry: (telemetry) => queue.push(`event: telemetry\ndata: ${JSON.stringify(telemetry)}\n\n`),
      }),
      end,
      // Without a word: whoever reads events connects again by itself.
      moved: close,
    }),
  )
  const heartbeat = setInterval(() => queue.push(': still here\n\n'), HEARTBEAT_MS)
  raw.once('close', () => {
    clearInterval(heartbeat)
    for (const leave of leaving) leave()
    void queue.finish()
  })
  return { end }
}
