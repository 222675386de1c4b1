import ndc from 'node-datachannel'
import { isRtcp } from '../../src/media/webrtc/feedback.ts'

/** A browser without a screen that watches by WHEP, and counts what it gets. */
export interface WebrtcViewer {
  readonly ssrc: number
  /** Sequence number of the newest packet. */
  readonly newest: number
  readonly bytes: number
  readonly packets: number
  /** Since it was last asked, the longest time without a packet. */
  maxGapMs(): number
  send(data: Buffer): void
  close(): void
}

export async function watchByWebrtc(whepUrl: string, credential: string): Promise<WebrtcViewer> {
  const connection = new ndc.PeerConnection('browser', { iceServers: [], disableAutoNegotiation: true })
  const gathered = new Promise<void>((resolve) => {
    connection.onGatheringStateChange((state) => state === 'complete' && resolve())
  })
  const video = new ndc.Video('0', 'RecvOnly')
  video.addH264Codec(96)
  const track = connection.addTrack(video)
  const opened = new Promise<void>((resolve) => track.onOpen(resolve))
  const counts = { ssrc: 0, newest: -1, bytes: 0, packets: 0 }
  let lastAtMs = performance.now()
  let gapMs = 0
  track.onMessage((data: Buffer) => {
    if (data.length < 12 || isRtcp(data)) return
    counts.packets++
    counts.bytes += data.length
    counts.newest = data.readUInt16BE(2)
    counts.ssrc = data.readUInt32BE(8)
    gapMs = Math.max(gapMs, performance.now() - lastAtMs)
    lastAtMs = performance.now()
  })
  connection.setLocalDescription('offer')
  await gathered
  const answer = await fetch(whepUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/sdp' },
    body: connection.localDescription()!.sdp,
  })
  if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`)
  connection.setRemoteDescription(await answer.text(), 'answer')
  await opened
  // As browsers do; without it a viewer counts as gone.
  const reports = setInterval(() => send(Buffer.from('80c9000100000001', 'hex')), 1_000)

  function send(data: Buffer): void {
    if (track.isOpen()) track.sendMessageBinary(data)
  }

  return {
    get ssrc() {
      return counts.ssrc
    },
    get newest() {
      return counts.newest
    },
    get bytes() {
      return counts.bytes
    },
    get packets() {
      return counts.packets
    },
    maxGapMs() {
      const maxMs = Math.max(gapMs, performance.now() - lastAtMs)
      gapMs = 0
      return maxMs
    },
    send,
    close() {
      clearInterval(reports)
      connection.close()
    },
  }
}
