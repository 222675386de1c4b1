import { createAacDepacketizer } from '../../../src/media/rtp/aac-depacketizer.ts'
import { readAacFormat } from '../../../src/media/rtp/aac-track.ts'
import { isVideoTrack } from '../../../src/media/rtp/nal-unit-codecs.ts'
import { createStreamMuxer } from '../../../src/media/rtmp/server/stream-muxer.ts'
import { createTrackReceiver } from '../../../src/media/rtsp/client/track-receiver.ts'
import { createStreamCache } from '../../../src/media/stream-cache.ts'
import { type MediaTrack } from '../../../src/media/stream.ts'
import { isRtcp } from '../../../src/media/webrtc/feedback.ts'
import { createPictureMaker } from '../../../src/media/webrtc/picture-maker.ts'
import { RTP_TRACKS, rtpPackets } from '../inputs/rtp-packets.ts'
import { joinParts, splitParts } from '../parts.ts'
import { type FuzzTarget } from '../target.ts'

/** The largest packet that browsers get. */
const MAX_WEBRTC_BYTES = 1200

/** The way of a packet by UDP through the media server: put in order, kept for later readers, and read by RTMP and WebRTC. */
export const rtp: FuzzTarget = {
  name: 'rtp',
  about:
    'RTP and RTCP packets of H.264, H.265, AAC and Opus to the receiver, the hub’s cache and the readers behind it',
  counts: { short: 1_000, long: 300_000 },
  open: () => ({
    create(random) {
      const track = random.below(RTP_TRACKS.length)
      return joinParts([Buffer.of(track), ...rtpPackets(track, random)])
    },
    feed(input) {
      const [first, ...packets] = splitParts(input)
      receive(RTP_TRACKS[(first?.[0] ?? 0) % RTP_TRACKS.length]!, packets)
    },
  }),
}

function receive(track: MediaTrack, packets: readonly Buffer[]): void {
  let nowMs = 0
  const cache = createStreamCache(() => nowMs)
  cache.start({ tracks: [track] })
  const muxer = createStreamMuxer(cache.description!)
  const read = createReader(track)
  const receiver = createTrackReceiver({
    track,
    ssrc: 1,
    isOrdered: false,
    onPacket(data) {
      const packet = cache.add(0, Buffer.from(data))
      if (packet) muxer?.messagesFor(packet)
      read(Buffer.from(data))
    },
    onSenderReport: (report) => muxer?.report({ track: 0, ...report }),
    now: () => (nowMs += 10),
  })
  for (const packet of packets) {
    if (isRtcp(packet)) receiver.rtcp(packet)
    else receiver.rtp(packet)
  }
  if (receiver.report().length % 4 !== 0) throw new Error('A report of ours is no RTCP.')
  receiver.close()
  // A reader that comes later begins with the newest parameter sets.
  createStreamMuxer(cache.description!)
}

/** What browsers, and decoders of sound, make of the packets. */
function createReader(track: MediaTrack): (packet: Buffer) => void {
  if (isVideoTrack(track)) {
    const maker = createPictureMaker(0, track)
    return (packet) => {
      for (const frame of maker.push(packet))
        for (const { length } of frame.packets)
          if (length > MAX_WEBRTC_BYTES) throw new Error(`A packet for browsers has ${length} bytes.`)
    }
  }
  const format = readAacFormat(track)
  if (!format) return () => {}
  const depacketizer = createAacDepacketizer(format)
  return (packet) => void depacketizer.push(packet)
}
