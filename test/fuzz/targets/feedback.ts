import { createH264Packetizer } from '../../../src/media/rtp/h264-codec.ts'
import { createFrameGroup, type Frame } from '../../../src/media/webrtc/frame.ts'
import { type HubStream } from '../../../src/media/webrtc/hub-stream.ts'
import { type PeerTrack } from '../../../src/media/webrtc/peer.ts'
import { createPublisher } from '../../../src/media/webrtc/publisher.ts'
import { createSharedTurns } from '../../../src/media/webrtc/shared-turns.ts'
import { createViewer } from '../../../src/media/webrtc/viewer.ts'
import { H264, idr, predicted } from '../../builders/flv-tags.ts'
import { feedbackPacket } from '../inputs/feedback-packets.ts'
import { RTP_TRACKS, rtpPackets } from '../inputs/rtp-packets.ts'
import { joinParts, splitParts } from '../parts.ts'
import { type FuzzTarget } from '../target.ts'

const H264_TRACK = RTP_TRACKS[0]!
const FRAMES = 6
/** Of what one that watches is sent, asked for again as often as it may; far below what all requests together ask for. */
const MAX_SENT = 4_000

/** What comes from browsers once they are connected: feedback of those who watch, and media of those who publish. */
export const feedback: FuzzTarget = {
  name: 'feedback',
  about: 'RTCP of browsers that watch, and RTP and RTCP of those that publish, to the gateway’s sessions',
  counts: { short: 2_000, long: 100_000 },
  open: () => ({
    create(random) {
      const numbers = Array.from({ length: 20 }, () => random.below(random.pick([40, 65_536])))
      const requests = Array.from({ length: 1 + random.below(6) }, () => feedbackPacket(random, numbers))
      return joinParts([...requests, ...rtpPackets(0, random).slice(0, 40)])
    },
    feed(input) {
      const packets = splitParts(input)
      watch(packets)
      publish(packets)
    },
  }),
}

/** A browser’s track that says what it is made to say. */
function createPeerTrack(onSent: () => void = () => {}) {
  let handler: (data: Buffer) => void = () => {}
  const peerTrack: PeerTrack = { send: onSent, onMessage: (added) => void (handler = added) }
  return { peerTrack, receive: (data: Buffer) => handler(data) }
}

function watch(packets: readonly Buffer[]): void {
  let sent = 0
  let nowMs = 0
  let takeFrame: (frame: Frame) => void = () => {}
  const { peerTrack, receive } = createPeerTrack(() => void sent++)
  const group = createFrameGroup()
  const frames = makeFrames()
  group.add(frames[0]!)
  const hubStream: HubStream = {
    tracks: [H264_TRACK],
    hasReorderedPictures: false,
    group: () => group.frames(),
    nextKeyframeAtMs: undefined,
    wallClockOf: () => 0,
    attach(taker) {
      takeFrame = (frame) => taker.frame(frame)
      return () => {}
    },
    close: async () => {},
  }
  const viewer = createViewer({
    hubStream,
    tracks: [{ track: 0, payloadType: 102, ssrc: 2, peerTrack }],
    onEnd: () => {},
    turns: createSharedTurns({ maxSteps: Infinity, maxMs: Infinity }),
    now: () => (nowMs += 20),
  })
  viewer.start()
  for (const frame of frames.slice(1)) takeFrame(frame)
  for (const packet of packets) receive(Buffer.from(packet))
  viewer.tick(nowMs)
  viewer.close()
  if (sent > MAX_SENT) throw new Error(`One that watches had ${sent} packets sent.`)
}

function makeFrames(): Frame[] {
  const packetize = createH264Packetizer({ payloadType: 0, ssrc: 0, firstSequenceNumber: 0, mtu: 200 })
  return Array.from({ length: FRAMES }, (_, at) => {
    const isKeyframe = at === 0
    const packets = packetize(isKeyframe ? [H264.sps, H264.pps, idr(at, 900)] : [predicted(at, 300)], at * 3000)
    return {
      track: 0,
      timestamp: at * 3000,
      packets,
      bytes: packets.reduce((sum, { length }) => sum + length, 0),
      isKeyframe,
    }
  })
}

function publish(packets: readonly Buffer[]): void {
  let nowMs = 0
  const { peerTrack, receive } = createPeerTrack()
  const publisher = createPublisher({
    hubPublisher: {
      record: async () => {},
      write: () => {},
      writeInterleaved: () => {},
      writeReport: () => {},
      onEnd: () => {},
      close: async () => {},
    },
    tracks: [{ track: H264_TRACK, peerTrack }],
    onEnd: () => {},
    now: () => (nowMs += 20),
  })
  publisher.start()
  for (const packet of packets) receive(Buffer.from(packet))
  publisher.tick(nowMs)
  publisher.close()
}
