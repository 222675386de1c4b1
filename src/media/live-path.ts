import { ownerOfPath } from '../core/media-path.ts'
import { MAX_STREAM_SILENCE_MS } from '../core/stream-silence.ts'
import { type CatchUpQueue } from './catch-up-queue.ts'
import { type HeldGroups } from './held-groups.ts'
import { type ReaderSlots } from './owner-quotas.ts'
import { createPathReaders } from './path-readers.ts'
import { type EndReason, type Publication, type Reader, type Subscription } from './publication.ts'
import { createStreamCache } from './stream-cache.ts'
import { type MediaPacket, type StreamDescription } from './stream.ts'

/** A publisher or reader that the hub has admitted, and how to check its right later. */
export interface StandingAccess {
  readonly principal: string
  readonly isInternal?: boolean
  readonly isForViewers?: boolean
  readonly isRelay?: boolean
  /** Rejects with a `MediaRefusal` when the right is lost. */
  confirm(): Promise<void>
  /** Checks the right again every few seconds until the returned function is called; `onLost` is called once. */
  hold(onLost: () => void): () => void
  readonly readerSlots: ReaderSlots
}

/** One path, from its publisher's start to its end: what is sent, and who reads it. */
export interface LivePath {
  readonly principal: string
  /** It is published on another node, and read from there. */
  readonly isRelay: boolean
  /** Undefined until the publisher has described what it sends. */
  readonly description: StreamDescription | undefined
  readonly publication: Publication
  readonly readerCount: number
  subscribe(access: StandingAccess): Subscription
  expelReaders(principal: string): void
  end(reason: EndReason): void
}

export interface LivePathOptions {
  readonly path: string
  readonly access: StandingAccess
  readonly maxReaders: number
  /** Shared by all paths. */
  readonly catchUpQueue: CatchUpQueue
  readonly heldGroups: HeldGroups
  readonly now: () => number
  readonly onLive: (description: StreamDescription) => void
  /** A packet of video came. */
  readonly onVideo: (receivedAtMs: number) => void
  readonly onEnd: (reason: EndReason) => void
}

export function createLivePath(options: LivePathOptions): LivePath {
  const { path, access, maxReaders, catchUpQueue, heldGroups, now, onLive, onVideo, onEnd } = options
  const stream = createStreamCache(now)
  const group = heldGroups.join(ownerOfPath(path), () => stream.clear())
  const readers = createPathReaders(path, maxReaders)
  let lastVideoAtMs = -Infinity
  let onPublicationEnd: ((reason: EndReason) => void) | undefined
  let ended: EndReason | undefined
  const releaseRight = access.hold(() => end('expelled'))

  function end(reason: EndReason): void {
    if (ended) return
    ended = reason
    releaseRight()
    stream.clear()
    group.leave()
    readers.expelAll(reason)
    onEnd(reason)
    if (reason !== 'publisher-left') onPublicationEnd?.(reason)
  }

  const publication: Publication = {
    path,
    isInternal: access.isInternal === true,
    start(description) {
      if (ended || stream.description) return
      stream.start(description)
      onLive(description)
    },
    write(track, data) {
      const packet = ended ? undefined : stream.add(track, data)
      if (!packet) return
      if (stream.description?.tracks[track]?.kind === 'video') {
        lastVideoAtMs = packet.receivedAtMs
        onVideo(lastVideoAtMs)
      }
      readers.send(packet)
      group.note(stream.heldBytes)
    },
    report(report) {
      if (ended) return
      stream.addReport(report)
      readers.report(report)
    },
    confirm: () => access.confirm(),
    onEnd(handler) {
      onPublicationEnd = handler
      // Somebody may have taken over before the publisher listened; as at any other time it is notified after it has set up its role.
      const reason = ended
      if (reason && reason !== 'publisher-left') queueMicrotask(() => handler(reason))
    },
    close: () => end('publisher-left'),
  }

  function subscribe(subscriber: StandingAccess): Subscription {
    const { principal, isInternal = false, isForViewers = !isInternal, readerSlots } = subscriber
    readers.checkRoom()
    readerSlots.check()
    let current: Reader | undefined
    return {
      path,
      isInternal,
      description: stream.description!,
      confirm: () => subscriber.confirm(),
      async waitForTurn() {
        // Our own workers serve everybody, and are few.
        if (isInternal || current) return
        readers.checkRoom()
        readerSlots.check()
        await catchUpQueue.waitForTurn(ownerOfPath(path), () => stream.heldBytes)
      },
      start(reader) {
        if (current) return
        if (ended) return reader.end('publisher-left')
        readers.checkRoom()
        const releaseSlot = readerSlots.take()
        current = reader
        const packets = !isForViewers && isSilent() ? [] : stream.packets()
        catchUp(reader, packets, () => current === reader)
        // A reader may leave while it catches up: too slow, or disconnected.
        if (current !== reader) return releaseSlot()
        const releaseRight = subscriber.hold(() => readers.expel(reader, 'expelled'))
        const release = () => {
          releaseRight()
          releaseSlot()
        }
        readers.add(reader, { principal, release }, stream.hasVideo && packets.length === 0)
      },
      close() {
        if (current) readers.remove(current)
        current = undefined
      },
    }
  }

  // A viewer has a picture at once, however old; a pipeline or a recorder would detect, record and charge what is long past.
  const isSilent = () => now() - lastVideoAtMs > MAX_STREAM_SILENCE_MS

  function catchUp(reader: Reader, packets: readonly MediaPacket[], isCurrent: () => boolean): void {
    for (const report of stream.reports()) reader.report(report)
    if (reader.begin && packets.length > 0) reader.begin(packets)
    else for (const packet of packets) if (isCurrent()) reader.packet(packet)
  }

  return {
    principal: access.principal,
    isRelay: access.isRelay === true,
    get description() {
      return stream.description
    },
    publication,
    get readerCount() {
      return readers.count
    },
    subscribe,
    expelReaders: (principal) => readers.expelPrincipal(principal),
    end,
  }
}
