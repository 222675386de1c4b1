import { type MediaPacket, type SenderReport, type StreamDescription } from './stream.ts'

/** The two ends of a stream in the hub: what a publisher holds, and what a reader holds. */
export interface Publication {
  readonly path: string
  /** One of our own workers publishes. */
  readonly isInternal: boolean
  /** Says what will be sent; from now on the path is live. Once only. */
  start(description: StreamDescription): void
  /** `data` is a whole RTP packet; it belongs to the hub from now on. */
  write(track: number, data: Buffer): void
  report(report: SenderReport): void
  /** Asks again whether it may be; rejects with a `MediaRefusal` when not. */
  confirm(): Promise<void>
  /** Called once if the hub ends the publication (somebody took over, the right is gone, or the server stops). */
  onEnd(handler: (reason: EndReason) => void): void
  close(): void
}

export interface Subscription {
  readonly path: string
  /** One of our own workers reads. */
  readonly isInternal: boolean
  /** As it was on subscribing, with the parameter sets that were the newest then. */
  readonly description: StreamDescription
  /** Asks again whether it may be; rejects with a `MediaRefusal` when not. While packets flow the hub does so by itself. */
  confirm(): Promise<void>
  /**
   * Resolves when a beginning is this one's turn: there may be many at once, and each is a lot of work. Rejects with a
   * `MediaRefusal` where there is no room for another reader.
   */
  turn(): Promise<void>
  /** Begins with the last keyframe, at once; then packets as they come. */
  start(reader: Reader): void
  /** Nothing flows any more, and `end` is not called; `start` may begin again. */
  close(): void
}

/** Called in the publisher's turn: must not block, and must drop or leave when it can't keep up. */
export interface Reader {
  packet(packet: MediaPacket): void
  /** What it begins with, thousands at once; where it is missing each comes as a packet. */
  begin?(packets: readonly MediaPacket[]): void
  report(report: SenderReport): void
  end(reason: EndReason): void
}

export type EndReason = 'publisher-left' | 'taken-over' | 'expelled' | 'server-stopping'
