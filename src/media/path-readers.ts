import { type EndReason, type Reader } from './publication.ts'
import { MediaRefusal } from './refusal.ts'
import { type MediaPacket, type SenderReport } from './stream.ts'

/** The readers of one path. A reader waits until the first keyframe that it can start with, and then gets every packet. */
export interface PathReaders {
  readonly count: number
  /** Throws a `MediaRefusal` when the path is full. */
  checkRoom(): void
  /** `release` is called once, when the reader is removed, whatever the reason. */
  add(reader: Reader, slot: ReaderSlot, mustWaitForKeyframe: boolean): void
  /** Does nothing for a reader that is not here. */
  remove(reader: Reader): void
  /** Removes it, and ends it. */
  expel(reader: Reader, reason: EndReason): void
  expelPrincipal(principal: string): void
  expelAll(reason: EndReason): void
  send(packet: MediaPacket): void
  /** To those that wait, too. */
  report(report: SenderReport): void
}

export interface ReaderSlot {
  readonly principal: string
  release(): void
}

export function createPathReaders(path: string, maxReaders: number): PathReaders {
  const active = new Map<Reader, ReaderSlot>()
  /** Subscribed before there was a keyframe to start with. */
  const waiting = new Map<Reader, ReaderSlot>()
  const all = () => [...active, ...waiting]

  function remove(reader: Reader): void {
    const slot = active.get(reader) ?? waiting.get(reader)
    slot?.release()
    active.delete(reader)
    waiting.delete(reader)
  }

  function expel(reader: Reader, reason: EndReason): void {
    remove(reader)
    reader.end(reason)
  }

  return {
    get count() {
      return active.size + waiting.size
    },
    checkRoom() {
      if (active.size + waiting.size < maxReaders) return
      throw new MediaRefusal(
        'too-many-readers',
        `${path} has too many readers; end one first, or watch by HLS or WebRTC.`,
      )
    },
    add: (reader, slot, mustWaitForKeyframe) => void (mustWaitForKeyframe ? waiting : active).set(reader, slot),
    remove,
    expel,
    expelPrincipal(principal) {
      for (const [reader, slot] of all()) if (slot.principal === principal) expel(reader, 'expelled')
    },
    expelAll(reason) {
      for (const [reader] of all()) expel(reader, reason)
    },
    send(packet) {
      if (packet.startsKeyframe && waiting.size > 0) {
        for (const [reader, slot] of waiting) active.set(reader, slot)
        waiting.clear()
      }
      for (const reader of active.keys()) reader.packet(packet)
    },
    report(report) {
      for (const [reader] of all()) reader.report(report)
    },
  }
}
