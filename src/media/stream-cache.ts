import { createGroupOfPictures } from './rtp/group-of-pictures.ts'
import { createKeyframeFinder } from './rtp/keyframe.ts'
import { createParameterSets, type ParameterSets } from './rtp/parameter-sets.ts'
import { type MediaPacket, type SenderReport, type StreamDescription } from './stream.ts'

/**
 * What is kept of a stream for readers that come later: its description with the newest parameter sets, the packets since the last
 * keyframe, and each track's last sender report.
 */
export interface StreamCache {
  /** Undefined until `start`. */
  readonly description: StreamDescription | undefined
  /** Readers start at a keyframe of the first video track; a stream without video has none. */
  readonly hasVideo: boolean
  /** Once only. */
  start(description: StreamDescription): void
  /** The packet as readers get it; undefined for what is no RTP packet of a track. */
  add(track: number, data: Buffer): MediaPacket | undefined
  addReport(report: SenderReport): void
  /** Since the last keyframe; empty where there was none yet, or the group grew too large. */
  packets(): readonly MediaPacket[]
  reports(): Iterable<SenderReport>
  /** What the packets take in memory. */
  readonly heldBytes: number
  /** Frees the packets. */
  clear(): void
}

/** What one datagram, or one interleaved frame, can hold. */
const MAX_PACKET_BYTES = 0xffff
const RTP_HEADER_BYTES = 12

interface TrackState {
  readonly startsKeyframe: (data: Buffer) => boolean
  readonly parameterSets: ParameterSets
}

export function createStreamCache(now: () => number): StreamCache {
  const group = createGroupOfPictures()
  const lastReports = new Map<number, SenderReport>()
  let tracks: readonly TrackState[] = []
  let description: StreamDescription | undefined
  let hasVideo = false

  return {
    get description() {
      return description
    },
    get hasVideo() {
      return hasVideo
    },
    start(started) {
      description = started
      const firstVideo = started.tracks.findIndex(({ kind }) => kind === 'video')
      hasVideo = firstVideo >= 0
      tracks = started.tracks.map(({ codec, parameterSets }, index) => ({
        startsKeyframe: index === firstVideo ? createKeyframeFinder(codec) : () => false,
        parameterSets: createParameterSets(codec, parameterSets),
      }))
    },
    add(index, data) {
      const track = tracks[index]
      if (!track || data.length < RTP_HEADER_BYTES || data.length > MAX_PACKET_BYTES) return undefined
      const newSets = track.parameterSets.update(data)
      if (newSets) description = withParameterSets(description!, index, newSets)
      const packet: MediaPacket = {
        track: index,
        data,
        timestamp: data.readUInt32BE(4),
        marker: (data[1]! & 0x80) !== 0,
        startsKeyframe: track.startsKeyframe(data),
        receivedAtMs: now(),
      }
      group.add(packet)
      return packet
    },
    addReport: (report) => void lastReports.set(report.track, report),
    packets: () => group.packets(),
    reports: () => lastReports.values(),
    get heldBytes() {
      return group.heldBytes
    },
    clear: () => group.clear(),
  }
}

function withParameterSets(
  description: StreamDescription,
  index: number,
  parameterSets: readonly Buffer[],
): StreamDescription {
  return { tracks: description.tracks.map((track, i) => (i === index ? { ...track, parameterSets } : track)) }
}
