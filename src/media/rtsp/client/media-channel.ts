import { buildPacket } from '../../rtp/packet.ts'
import { type RtspClientConnection } from './connection.ts'
import { interleave } from '../wire/interleave.ts'
import { type TrackReceiver } from './track-receiver.ts'
import { type Pair, type ServerTransport } from '../wire/transport-header.ts'
import { bindUdpPair } from '../wire/udp-pair.ts'

/** How the packets of one track arrive, and our reports are sent. */
export interface MediaChannel {
  /** For SETUP's `Transport` header. */
  readonly offer: string
  /** False when the server agreed to something else. */
  accept(answer: ServerTransport): boolean
  sendReport(): void
  close(): void
}

/** The handlers of interleaved frames, by channel. */
export type FrameTakers = Map<number, (data: Buffer) => void>

/** Inside the connection. If the server assigns other numbers than we offered, the server's count. */
export function openTcpChannel(
  connection: RtspClientConnection,
  takers: FrameTakers,
  receiver: TrackReceiver,
): MediaChannel {
  let channels: Pair = [takers.size, takers.size + 1]
  return {
    offer: `RTP/AVP/TCP;unicast;interleaved=${channels.join('-')}`,
    accept(answer) {
      if (answer.protocol !== 'tcp') return false
      channels = answer.channels ?? channels
      takers.set(channels[0], receiver.rtp)
      takers.set(channels[1], receiver.rtcp)
      return true
    },
    sendReport: () => void connection.sendInterleaved(interleave([{ channel: channels[1], data: receiver.report() }])),
    close: () => receiver.close(),
  }
}

/** On two ports of our own, from and to the address that the connection has: no other is listened or spoken to. */
export async function openUdpChannel(
  { localAddress, remoteAddress }: RtspClientConnection,
  payloadType: number,
  receiver: TrackReceiver,
): Promise<MediaChannel> {
  const pair = await bindUdpPair({
    localAddress,
    peerAddress: remoteAddress,
    onRtp: receiver.rtp,
    onRtcp: receiver.rtcp,
  })
  return {
    offer: `RTP/AVP;unicast;client_port=${pair.ports.join('-')}`,
    accept(answer) {
      if (answer.protocol !== 'udp') return false
      if (answer.serverPorts) pair.setPeerPorts(answer.serverPorts)
      // A packet out lets packets in: NAT and firewalls open the way back.
      pair.sendRtp(buildPacket({ payloadType, sequenceNumber: 0, timestamp: 0, ssrc: 0, marker: false }))
      pair.sendRtcp(receiver.report())
      return true
    },
    sendReport: () => pair.sendRtcp(receiver.report()),
    close() {
      receiver.close()
      pair.close()
    },
  }
}
