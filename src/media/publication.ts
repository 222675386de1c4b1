import { type MediaPacket, type SenderReport, type StreamDescription } from './stream.ts'

/** The two ends of a stream in the hub: what a publisher holds, and what a reader holds. */
export interface Publication {
  readonly path: string
  /** One of our own workers publishes. */
  readonly isInternal: boolean
  /** Describes what will be sent; from now on the path is live. Once only. */
  start(description: StreamDescription): void
  /** `data` is a whole RTP packet; it belongs to the hub from now on. */
  write(track: number, data: Buffer): void
  report(report: SenderReport): void
  /** Checks the right again; rejects with a `MediaRefusal` when it is lost. */
  confirm(): Promise<void>
  /** Called once if the hub ends the publication (another publisher took over, the right is lost, or the server stops); soon if it has. */
  onEnd(handler: (reason: EndReason) => void): void
  close(): void
}

export interface Subscription {
  readonly path: string
  /** One of our own workers reads. */
  readonly isInternal: boolean
  /** As it was on subscribing, with the parameter sets that were the newest then. */
  readonly description: StreamDescription
  /** Checks the right again; rejects with a `MediaRefusal` when it is lost. While packets flow the hub does so by itself. */
  confirm(): Promise<void>
  /**
   * Resolves when it is this one's turn to start: many may want to at once, and each start is a lot of work. Rejects with a
   * `MediaRefusal` where there is no room for another reader.
   */
  waitForTurn(): Promise<void>
  /** Sends the packets since the last keyframe at once, then packets as they arrive. */
  start(reader: Reader): void
  /** Nothing flows any more, and `end` is not called; `start` may begin again. */
  close(): void
}

/** Called synchronously by the publisher: must not block, and must drop or leave when it can't keep up. */
export interface Reader {
  packet(packet: MediaPacket): void
  /** The packets since the last keyframe, thousands at once; where it is missing, each is passed to `packet`. */
  begin?(packets: readonly MediaPacket[]): void
  report(report: SenderReport): void
  end(reason: EndReason): void
}

/** `unread`: of a relay that nobody reads any more. */
export type EndReason = 'publisher-left' | 'taken-over' | 'expelled' | 'server-stopping' | 'unread'
