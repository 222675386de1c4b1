import { type EndReason, type Reader } from '../../publication.ts'
import { type MediaPacket } from '../../stream.ts'
import { type WaitingMember } from '../../waiting-bytes.ts'
import { WRITE_OVERHEAD_BYTES } from '../../write-queue.ts'
import { createBacklog, type BacklogLimits } from './backlog.ts'
import { type MediaSocket } from './client-socket.ts'
import { createChannels, type FanOut } from './fan-out.ts'
import { createSenderReports, type TrackReport } from '../wire/sender-reports.ts'
import { interleave } from '../wire/interleave.ts'
import { type Pair } from '../wire/transport-header.ts'

/** A reader in the hub that hands on to one client. */
export interface RtspReader extends Reader {
  /** What was taken but has not left: right after the start, what the client will begin with. */
  waiting(): readonly MediaPacket[]
  /**
   * The client knows by `RTP-Info` what it will begin with. Otherwise it counts from what comes first, from a report too (FFmpeg), which
   * is of another moment: then packets go before the reports that date them.
   */
  announce(): void
  /** Why the client can't be served any longer; undefined while all is well. */
  check(nowMs: number): string | undefined
  close(): void
}

export interface TcpReaderOptions {
  readonly socket: MediaSocket
  /** The channels of each track; undefined for those that the client doesn't want. */
  readonly channels: readonly (Pair | undefined)[]
  readonly fanOut: FanOut
  /** Counts what waits for this reader with what waits for others of the same account's streams. */
  readonly joinWaiting: (end: (why: string) => void) => WaitingMember
  readonly limits: BacklogLimits
  readonly now: () => number
  readonly onEnd: (reason: EndReason) => void
  /** Called once; the reader sends nothing after it. */
  readonly onTooSlow: (why: string) => void
}

/** Sends interleaved in the RTSP connection. A client that can't keep up is disconnected: there is no frame that could be left out. */
export function createTcpReader(options: TcpReaderOptions): RtspReader {
  const { socket, fanOut } = options
  const channels = createChannels(options.channels.map((pair) => pair?.[0] ?? -1))
  const reports = createSenderReports()
  const backlog = createBacklog(options.limits)
  const member = options.joinWaiting(giveUp)
  let waiting: MediaPacket[] = []
  let isAnnounced = false
  let isClosed = false

  const reader: RtspReader & { flush(): void } = {
    packet(packet) {
      waiting.push(packet)
      fanOut.schedule(reader, packet.marker)
    },
    begin(packets) {
      waiting = waiting.concat(packets)
      fanOut.schedule(reader, true)
    },
    report(report) {
      reports.hold(report)
      fanOut.schedule(reader, false)
    },
    flush() {
      if (isClosed) return
      const packets = waiting
      waiting = []
      const frames = fanOut.frame(packets, channels)
      if (!isAnnounced) writeFrames(frames)
      for (const packet of packets) if (options.channels[packet.track]) reports.count(packet)
      writeReports(reports.take())
      if (isAnnounced) writeFrames(frames)
      if (frames.length === 0) return
      const why = reader.check(options.now())
      if (why) giveUp(why)
    },
    end(reason) {
      if (isClosed) return
      reader.flush()
      if (!isClosed) writeReports(reports.byes())
      reader.close()
      options.onEnd(reason)
    },
    waiting: () => waiting,
    announce: () => void (isAnnounced = true),
    check(nowMs) {
      if (isClosed) return undefined
      const queuedBytes = socket.queuedBytes()
      member.note(queuedBytes)
      const verdict = isClosed ? 'keeps-up' : backlog.judge(queuedBytes, nowMs)
      return verdict === 'keeps-up' ? undefined : verdict
    },
    close() {
      if (isClosed) return
      isClosed = true
      waiting = []
      member.leave(() => socket.queuedBytes())
    },
  }

  function writeFrames(frames: Buffer): void {
    if (frames.length === 0) return
    socket.write(frames)
    backlog.add(frames.length + WRITE_OVERHEAD_BYTES)
  }

  function writeReports(due: readonly TrackReport[]): void {
    for (const { track, data } of due) {
      const pair = options.channels[track]
      if (pair) socket.write(interleave([{ channel: pair[1], data }]))
    }
  }

  function giveUp(why: string): void {
    reader.close()
    options.onTooSlow(why)
  }

  return reader
}
