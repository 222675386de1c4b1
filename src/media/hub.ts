import { type Access, type AccessRequest, type Authorize } from './access.ts'
import { parsePath } from './path.ts'
import { MediaRefusal } from './refusal.ts'
import { createGroupOfPictures } from './rtp/group-of-pictures.ts'
import { createKeyframeFinder } from './rtp/keyframe.ts'
import { createParameterSets, type ParameterSets } from './rtp/parameter-sets.ts'
import { type MediaPacket, type SenderReport, type StreamDescription } from './stream.ts'

/**
 * Paths, who publishes to them and who reads them. A protocol server knows the hub and nothing else.
 * Packets go from publisher to readers at once, in the same turn; the hub buffers only the last group
 * of pictures, so that every new reader starts at a keyframe.
 */
export interface Hub {
  /** Takes a path. A second publisher is refused, unless it is the same one coming back: then it takes over. */
  publish(rawPath: string, request: AccessRequest): Promise<Publication>
  /** Finds a live stream. Nothing flows until `start`. */
  subscribe(rawPath: string, request: AccessRequest): Promise<Subscription>
  /** Every path that somebody has taken, live or about to be. */
  list(): readonly PathStatus[]
  /** Ends every publication and subscription. */
  close(): void
}

export interface Publication {
  readonly path: string
  /** Says what will be sent; from now on the path is live. Once only. */
  start(description: StreamDescription): void
  /** `data` is a whole RTP packet; it belongs to the hub from now on. */
  write(track: number, data: Buffer): void
  report(report: SenderReport): void
  /** Called once if the hub ends the publication (somebody took over, or the server stops). */
  onEnd(handler: (reason: EndReason) => void): void
  close(): void
}

export interface Subscription {
  readonly path: string
  /** As it was on subscribing, with the parameter sets that were the newest then. */
  readonly description: StreamDescription
  /** Begins with the last keyframe, at once; then packets as they come. */
  start(reader: Reader): void
  /** Nothing flows any more, and `end` is not called; `start` may begin again. */
  close(): void
}

export interface PathStatus {
  readonly path: string
  readonly isLive: boolean
  readonly readers: number
}

/** Called in the publisher's turn: must not block, and must drop or leave when it can't keep up. */
export interface Reader {
  packet(packet: MediaPacket): void
  report(report: SenderReport): void
  end(reason: EndReason): void
}

export type EndReason = 'publisher-left' | 'taken-over' | 'server-stopping'

export type HubEvent =
  | {
      readonly type: 'live'
      readonly path: string
      readonly protocol: AccessRequest['protocol']
      readonly description: StreamDescription
    }
  | { readonly type: 'gone'; readonly path: string; readonly reason: EndReason }

/** What one datagram, or one interleaved frame, can hold. */
const MAX_PACKET_BYTES = 0xffff

export interface HubOptions {
  readonly authorize: Authorize
  readonly onEvent: (event: HubEvent) => void
  readonly now: () => number
  readonly maxReadersPerPath?: number
}

export function createHub({ authorize, onEvent, now, maxReadersPerPath = 1000 }: HubOptions): Hub {
  const paths = new Map<string, LivePath>()

  return {
    async publish(rawPath, request) {
      const path = parsePath(rawPath)
      const access = await authorize('publish', path, request)
      const current = paths.get(path)
      if (current && current.access.principal !== access.principal) {
        throw new MediaRefusal('path-in-use', `Somebody else is publishing to ${path}.`)
      }
      current?.end('taken-over')
      const live = createLivePath(path, access, request.protocol)
      paths.set(path, live)
      return live.publication
    },
    async subscribe(rawPath, request) {
      const path = parsePath(rawPath)
      await authorize('read', path, request)
      const live = paths.get(path)
      if (!live?.description) throw new MediaRefusal('not-live', `Nobody is publishing to ${path}.`)
      if (live.readerCount() >= maxReadersPerPath)
        throw new MediaRefusal('too-many-readers', `${path} has too many readers.`)
      return live.subscribe()
    },
    list() {
      return [...paths].map(([path, live]) => ({ path, isLive: !!live.description, readers: live.readerCount() }))
    },
    close() {
      for (const live of paths.values()) live.end('server-stopping')
    },
  }

  function createLivePath(path: string, access: Access, protocol: AccessRequest['protocol']): LivePath {
    const readers = new Set<Reader>()
    /** Came before there was a keyframe to begin with. */
    const waiting = new Set<Reader>()
    const group = createGroupOfPictures()
    const lastReports = new Map<number, SenderReport>()
    const startsKeyframe: ((data: Buffer) => boolean)[] = []
    const parameterSets: ParameterSets[] = []
    let hasVideo = false
    let onPublicationEnd: ((reason: EndReason) => void) | undefined
    let isEnded = false

    function end(reason: EndReason): void {
      if (isEnded) return
      isEnded = true
      if (paths.get(path) === live) paths.delete(path)
      group.clear()
      for (const reader of [...readers, ...waiting]) reader.end(reason)
      readers.clear()
      waiting.clear()
      if (live.description) onEvent({ type: 'gone', path, reason })
      if (reason !== 'publisher-left') onPublicationEnd?.(reason)
    }

    const live: LivePath = {
      access,
      readerCount: () => readers.size + waiting.size,
      description: undefined,
      end,
      publication: {
        path,
        start(description) {
          if (isEnded || live.description) return
          live.description = description
          const firstVideo = description.tracks.findIndex(({ kind }) => kind === 'video')
          hasVideo = firstVideo >= 0
          for (const [index, track] of description.tracks.entries()) {
            startsKeyframe.push(index === firstVideo ? createKeyframeFinder(track.codec) : () => false)
            parameterSets.push(createParameterSets(track.codec, track.parameterSets))
          }
          onEvent({ type: 'live', path, protocol, description })
        },
        write(track, data) {
          const findsKeyframe = startsKeyframe[track]
          if (isEnded || !findsKeyframe || data.length < 12 || data.length > MAX_PACKET_BYTES) return
          const newSets = parameterSets[track]!.update(data)
          if (newSets) live.description = withParameterSets(live.description!, track, newSets)
          const packet: MediaPacket = {
            track,
            data,
            timestamp: data.readUInt32BE(4),
            marker: (data[1]! & 0x80) !== 0,
            startsKeyframe: findsKeyframe(data),
            receivedAtMs: now(),
          }
          group.add(packet)
          if (packet.startsKeyframe && waiting.size > 0) {
            for (const reader of waiting) readers.add(reader)
            waiting.clear()
          }
          for (const reader of readers) reader.packet(packet)
        },
        report(report) {
          if (isEnded) return
          lastReports.set(report.track, report)
          for (const reader of readers) reader.report(report)
        },
        onEnd: (handler) => (onPublicationEnd = handler),
        close: () => end('publisher-left'),
      },
      subscribe() {
        let reader: Reader | undefined
        return {
          path,
          description: live.description!,
          start(newReader) {
            if (reader) return
            if (isEnded) return newReader.end('publisher-left')
            reader = newReader
            for (const report of lastReports.values()) reader.report(report)
            for (const packet of group.packets()) reader.packet(packet)
            const mustWait = hasVideo && group.packets().length === 0
            ;(mustWait ? waiting : readers).add(reader)
          },
          close() {
            if (!reader) return
            readers.delete(reader)
            waiting.delete(reader)
            reader = undefined
          },
        }
      },
    }
    return live
  }
}

function withParameterSets(
  description: StreamDescription,
  index: number,
  parameterSets: readonly Buffer[],
): StreamDescription {
  return { tracks: description.tracks.map((track, i) => (i === index ? { ...track, parameterSets } : track)) }
}

interface LivePath {
  readonly access: Access
  readerCount(): number
  /** Known once the publisher has said what it sends. */
  description: StreamDescription | undefined
  readonly publication: Publication
  subscribe(): Subscription
  end(reason: EndReason): void
}
