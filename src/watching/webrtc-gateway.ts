import { type Clock } from '../core/clock.ts'
import { type FromWebrtc, type ToWebrtc, type WebrtcOptions } from '../media/messages.ts'
import { type Log } from '../observe/log.ts'
import { type Child, startChild } from '../supervise/child.ts'
import { alwaysRestart } from '../supervise/restart-policy.ts'

/** The one gateway process, which runs from the first message on. */
export interface WebrtcGateway {
  /** Kept while the gateway is being started. */
  send(message: ToWebrtc): void
  close(): Promise<void>
}

export interface GatewayHandlers {
  readonly onMessage: (message: FromWebrtc) => void
  /** It died: all sessions are lost, and the next process knows none of them. */
  readonly onExit: () => void
}

export interface WebrtcGatewayOptions extends GatewayHandlers {
  readonly options: WebrtcOptions
  readonly clock: Clock
  readonly log: Log
}

export function createWebrtcGateway({ options, clock, log, onMessage, onExit }: WebrtcGatewayOptions): WebrtcGateway {
  let gateway: Child<ToWebrtc> | undefined
  /** What was sent while the gateway was away; as bounded as the callers' offers are. */
  const unsent: ToWebrtc[] = []

  function start(): Child<ToWebrtc> {
    return startChild<ToWebrtc, FromWebrtc>({
      name: 'webrtc gateway',
      entry: new URL('../media/webrtc/worker.js', import.meta.url),
      clock,
      log,
      restart: alwaysRestart,
      onStart(send) {
        send({ type: 'start', options })
        for (const message of unsent.splice(0)) send(message)
      },
      onMessage,
      onExit,
    })
  }

  return {
    send(message) {
      gateway ??= start()
      if (gateway.pid === undefined) unsent.push(message)
      else gateway.send(message)
    },
    async close() {
      await gateway?.stop()
    },
  }
}
