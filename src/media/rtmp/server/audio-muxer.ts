import { createAacDepacketizer } from '../../rtp/aac-depacketizer.ts'
import { type AacFormat } from '../../rtp/aac-track.ts'
import { type MediaTrack } from '../../stream.ts'
import { CHUNK_STREAM } from '../wire/chunk-writer.ts'
import { aacTagHead } from '../wire/flv-audio.ts'
import { chunked, type MediaMessage, type TrackMuxer } from './media-message.ts'
import { createRtpClock } from './rtp-clock.ts'

const AAC_CODEC_ID = 10

/** `offsetMs` says, at any time, how much later than the video's the audio's time began. */
export function createAudioMuxer(track: MediaTrack, format: AacFormat, offsetMs: () => number): TrackMuxer {
  const depacketizer = createAacDepacketizer(format)
  const clock = createRtpClock(track.clockRate)
  const configuration = chunked(CHUNK_STREAM.audio, Buffer.concat([aacTagHead('configuration'), format.config]))
  let lastMs = Number.NEGATIVE_INFINITY

  return {
    clock,
    metadata: { audiocodecid: AAC_CODEC_ID, audiosamplerate: track.clockRate, stereo: (track.channels ?? 2) > 1 },
    configuration,
    push: (packet) =>
      depacketizer.push(packet.data).map(({ timestamp, data }): MediaMessage => {
        const streamMs = Math.round((clock.advance(timestamp) * 1000) / track.clockRate + offsetMs())
        lastMs = Math.max(streamMs, lastMs)
        const payload = chunked(CHUNK_STREAM.audio, Buffer.concat([aacTagHead('frame'), data]))
        return { kind: 'audio', timestampMs: lastMs, presentationMs: lastMs, isKeyframe: true, payload, configuration }
      }),
  }
}
