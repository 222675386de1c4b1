import { createAacDepacketizer } from '../../../src/media/rtp/aac-depacketizer.ts'
import { readAacFormat } from '../../../src/media/rtp/aac-track.ts'
import { createStreamMuxer } from '../../../src/media/rtmp/server/stream-muxer.ts'
import { RtspClientError } from '../../../src/media/rtsp/client/client-error.ts'
import { readServedStream } from '../../../src/media/rtsp/client/served-stream.ts'
import { findTrack } from '../../../src/media/rtsp/server/stream-url.ts'
import { RtspFailure } from '../../../src/media/rtsp/wire/message.ts'
import { type AnnouncedTrack, parseSdp } from '../../../src/media/rtsp/wire/sdp-parser.ts'
import { writeSdp } from '../../../src/media/rtsp/wire/sdp-writer.ts'
import { type MediaTrack } from '../../../src/media/stream.ts'
import { sdpText } from '../inputs/sdp-text.ts'
import { mutate } from '../mutate.ts'
import { type FuzzTarget } from '../target.ts'

const URL = 'rtsp://127.0.0.1/open/one'
/** One AAC frame, whatever its description says of how it is packed. */
const AAC_PACKET = Buffer.from('8060000100000000000012340010' + '0040' + '00'.repeat(40), 'hex')

/** Descriptions that publishers announce, and that cameras answer with; and what readers are then told. */
export const sdp: FuzzTarget = {
  name: 'sdp',
  about: 'descriptions of streams to the RTSP server and client, and to those who read what was described',
  counts: { short: 1_000, long: 200_000 },
  open: () => ({
    create(random) {
      const text = Buffer.from(sdpText(random), 'latin1')
      return random.oneIn(8) ? mutate(text, random) : text
    },
    feed(input) {
      const announced = readAnnounced(input.toString('utf8'))
      const controls = announced.map(({ control }) => control)
      for (const control of controls) findTrack(`${URL}/${control}`, controls)
      describeAgain(announced.map(({ track }) => track))
      describeAgain(readServed(input))
    },
  }),
}

function readAnnounced(text: string): AnnouncedTrack[] {
  try {
    return parseSdp(text)
  } catch (error) {
    if (error instanceof RtspFailure) return []
    throw error
  }
}

function readServed(body: Buffer): MediaTrack[] {
  try {
    const response = { kind: 'response', status: 200, reason: 'OK', headers: new Map(), body } as const
    return readServedStream(URL, response).tracks.map(({ track }) => track)
  } catch (error) {
    if (error instanceof RtspClientError) return []
    throw error
  }
}

/** What a publisher writes must not become lines of its own in what readers get. */
function describeAgain(tracks: readonly MediaTrack[]): void {
  if (tracks.length === 0) return
  const text = writeSdp({ tracks })
  const sections = text.split(/\r\n|\n|\r/).filter((line) => line.startsWith('m='))
  if (sections.length !== tracks.length) throw new Error(`${tracks.length} tracks became ${sections.length} sections.`)
  createStreamMuxer({ tracks })
  for (const track of tracks) {
    const format = readAacFormat(track)
    if (format) createAacDepacketizer(format).push(AAC_PACKET)
  }
}
