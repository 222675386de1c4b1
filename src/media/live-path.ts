import { ownerOfPath } from '../core/media-path.ts'
import { type Beginnings } from './beginnings.ts'
import { type EndReason, type Publication, type Reader, type Subscription } from './publication.ts'
import { MediaRefusal } from './refusal.ts'
import { createGroupOfPictures } from './rtp/group-of-pictures.ts'
import { createKeyframeFinder } from './rtp/keyframe.ts'
import { createParameterSets, type ParameterSets } from './rtp/parameter-sets.ts'
import { type MediaPacket, type SenderReport, type StreamDescription } from './stream.ts'

/** Somebody whom the hub has let in, and how to be sure of it later. */
export interface StandingAccess {
  readonly principal: string
  readonly isInternal?: boolean
  /** Rejects with a `MediaRefusal` when the right is gone. */
  confirm(): Promise<void>
  /** Asks again and again until it is let go of, which is what it answers; `onLost` is called once. */
  hold(onLost: () => void): () => void
  readonly places: ReaderPlaces
}

/** What the hub has room for, over all paths of an owner. Both throw a `MediaRefusal` where that is used up. */
export interface ReaderPlaces {
  check(): void
  /** Answers how to leave again. */
  take(): () => void
}

/** One path from its publisher's coming to its going: what is sent, and who reads it. */
export interface LivePath {
  readonly principal: string
  /** Known once the publisher has said what it sends. */
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
  readonly beginnings: Beginnings
  readonly now: () => number
  readonly onLive: (description: StreamDescription) => void
  readonly onEnd: (reason: EndReason) => void
}

/** A reader's place in the stream. */
interface Seat {
  readonly principal: string
  letGo(): void
}

/** What one datagram, or one interleaved frame, can hold. */
const MAX_PACKET_BYTES = 0xffff

export function createLivePath(options: LivePathOptions): LivePath {
  const { path, access, maxReaders, beginnings, now, onLive, onEnd } = options
  const readers = new Map<Reader, Seat>()
  /** Came before there was a keyframe to begin with. */
  const waiting = new Map<Reader, Seat>()
  const group = createGroupOfPictures()
  const lastReports = new Map<number, SenderReport>()
  const startsKeyframe: ((data: Buffer) => boolean)[] = []
  const parameterSets: ParameterSets[] = []
  let description: StreamDescription | undefined
  let hasVideo = false
  let onPublicationEnd: ((reason: EndReason) => void) | undefined
  let isEnded = false
  const letGoOfRight = access.hold(() => end('expelled'))

  function end(reason: EndReason): void {
    if (isEnded) return
    isEnded = true
    letGoOfRight()
    group.clear()
    for (const reader of [...readers.keys(), ...waiting.keys()]) expel(reader, reason)
    onEnd(reason)
    if (reason !== 'publisher-left') onPublicationEnd?.(reason)
  }

  const publication: Publication = {
    path,
    isInternal: access.isInternal === true,
    start(described) {
      if (isEnded || description) return
      description = described
      const firstVideo = described.tracks.findIndex(({ kind }) => kind === 'video')
      hasVideo = firstVideo >= 0
      for (const [index, track] of described.tracks.entries()) {
        startsKeyframe.push(index === firstVideo ? createKeyframeFinder(track.codec) : () => false)
        parameterSets.push(createParameterSets(track.codec, track.parameterSets))
      }
      onLive(described)
    },
    write(track, data) {
      const findsKeyframe = startsKeyframe[track]
      if (isEnded || !findsKeyframe || data.length < 12 || data.length > MAX_PACKET_BYTES) return
      const newSets = parameterSets[track]!.update(data)
      if (newSets) description = withParameterSets(description!, track, newSets)
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
        for (const [reader, seat] of waiting) readers.set(reader, seat)
        waiting.clear()
      }
      for (const reader of readers.keys()) reader.packet(packet)
    },
    report(report) {
      if (isEnded) return
      lastReports.set(report.track, report)
      for (const reader of [...readers.keys(), ...waiting.keys()]) reader.report(report)
    },
    confirm: () => access.confirm(),
    onEnd: (handler) => (onPublicationEnd = handler),
    close: () => end('publisher-left'),
  }

  function subscribe(who: StandingAccess): Subscription {
    checkRoom()
    who.places.check()
    let reader: Reader | undefined
    return {
      path,
      isInternal: who.isInternal === true,
      description: description!,
      confirm: () => who.confirm(),
      async turn() {
        // Our own workers serve everybody, and are few.
        if (who.isInternal || reader) return
        checkRoom()
        who.places.check()
        await beginnings.turn(ownerOfPath(path), () => group.heldBytes)
      },
      start(newReader) {
        if (reader) return
        if (isEnded) return newReader.end('publisher-left')
        checkRoom()
        const leavePlace = who.places.take()
        reader = newReader
        for (const report of lastReports.values()) newReader.report(report)
        const packets = group.packets()
        if (newReader.begin && packets.length > 0) newReader.begin(packets)
        else for (const packet of packets) if (reader === newReader) newReader.packet(packet)
        // A reader may leave in the middle of what it missed: too slow, or gone.
        if (reader !== newReader) return leavePlace()
        const mustWait = hasVideo && packets.length === 0
        const letGoOfRight = who.hold(() => expel(newReader, 'expelled'))
        const letGo = () => {
          letGoOfRight()
          leavePlace()
        }
        ;(mustWait ? waiting : readers).set(newReader, { principal: who.principal, letGo })
      },
      close() {
        if (reader) remove(reader)
        reader = undefined
      },
    }
  }

  function checkRoom(): void {
    if (readers.size + waiting.size >= maxReaders) {
      throw new MediaRefusal(
        'too-many-readers',
        `${path} has too many readers; end one first, or watch by HLS or WebRTC.`,
      )
    }
  }

  function remove(reader: Reader): void {
    ;(readers.get(reader) ?? waiting.get(reader))?.letGo()
    readers.delete(reader)
    waiting.delete(reader)
  }

  function expel(reader: Reader, reason: EndReason): void {
    remove(reader)
    reader.end(reason)
  }

  return {
    principal: access.principal,
    get description() {
      return description
    },
    publication,
    get readerCount() {
      return readers.size + waiting.size
    },
    subscribe,
    expelReaders(principal) {
      for (const [reader, seat] of [...readers, ...waiting]) {
        if (seat.principal === principal) expel(reader, 'expelled')
      }
    },
    end,
  }
}

function withParameterSets(
  description: StreamDescription,
  index: number,
  parameterSets: readonly Buffer[],
): StreamDescription {
  return { tracks: description.tracks.map((track, i) => (i === index ? { ...track, parameterSets } : track)) }
}
