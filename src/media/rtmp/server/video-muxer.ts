import { type AccessUnit } from '../../rtp/access-unit.ts'
import { createDecodingTimes } from '../../rtp/decoding-times.ts'
import { isParameterSet, readPictureInfo } from '../../rtp/nal-unit-codec.ts'
import { type VideoTrack } from '../../stream.ts'
import { CHUNK_STREAM } from '../wire/chunk-writer.ts'
import { configurationTagHead, frameTagHead } from '../wire/flv-video.ts'
import { joinNalUnits } from '../wire/nal-units.ts'
import { areSame, belongsInFrame, mergeParameterSets } from '../wire/parameter-sets.ts'
import { VIDEO_FORMATS } from '../wire/video-formats.ts'
import { chunked, type ChunkedPayload, type MediaMessage, type TrackMuxer } from './media-message.ts'
import { createRtpClock } from './rtp-clock.ts'

const TICKS_PER_MS = 90
const CODEC_IDS = { h264: 7, h265: Buffer.from('hvc1').readUInt32BE() } as const

/** After a loss nothing is sent until the next keyframe: a picture that stands still is better than a broken one. */
export function createVideoMuxer(track: VideoTrack): TrackMuxer {
  const format = VIDEO_FORMATS[track.codec]
  const depacketizer = format.createDepacketizer()
  const clock = createRtpClock(track.clockRate)
  /** The timestamps of the last keyframes, as the hub found them; a unit may come out with a packet of the next. */
  let keyTimestamps: number[] = []
  let isWaitingForKeyframe = true
  let sets: readonly Buffer[] = mergeParameterSets(format, [], track.parameterSets ?? [])
  let configuration = buildConfiguration()
  const picture = readPictureInfo(format, sets)
  let decodingTimes = createDecodingTimes(picture?.maxReorderedFrames)
  let lastDecoding: number | undefined

  return {
    clock,
    metadata: {
      videocodecid: CODEC_IDS[track.codec],
      ...(picture && { width: picture.width, height: picture.height }),
    },
    get configuration() {
      return configuration
    },
    push(packet) {
      if (packet.startsKeyframe) keyTimestamps = [...keyTimestamps.slice(-1), packet.timestamp]
      return depacketizer.push(packet.data).flatMap((unit) => toMessage(unit) ?? [])
    },
  }

  function toMessage(unit: AccessUnit): MediaMessage | undefined {
    updateSets(unit.nalUnits)
    const isKeyframe = keyTimestamps.includes(unit.timestamp)
    if (unit.isAfterLoss) isWaitingForKeyframe = true
    if (!configuration || (isWaitingForKeyframe && !isKeyframe)) return undefined
    const nalUnits = unit.nalUnits.filter((nalUnit) => belongsInFrame(format, nalUnit))
    if (!nalUnits.some((nalUnit) => format.isSlice(nalUnit))) return undefined
    isWaitingForKeyframe = false

    const presentation = clock.advance(unit.timestamp)
    lastDecoding = decodingTimes(presentation)
    const timestampMs = Math.round(lastDecoding / TICKS_PER_MS)
    const presentationMs = Math.max(Math.round(presentation / TICKS_PER_MS), timestampMs)
    const head = frameTagHead(format.codec, isKeyframe, presentationMs - timestampMs)
    const payload = chunked(CHUNK_STREAM.video, joinNalUnits(head, nalUnits))
    return { kind: 'video', timestampMs, presentationMs, isKeyframe, payload, configuration }
  }

  function updateSets(nalUnits: readonly Buffer[]): void {
    if (!nalUnits.some((nalUnit) => isParameterSet(format, nalUnit))) return
    const merged = mergeParameterSets(format, sets, nalUnits)
    if (areSame(merged, sets)) return
    sets = merged
    configuration = buildConfiguration()
    decodingTimes = createDecodingTimes(readPictureInfo(format, sets)?.maxReorderedFrames, lastDecoding)
  }

  function buildConfiguration(): ChunkedPayload | undefined {
    const record = format.buildConfiguration(sets)
    return record && chunked(CHUNK_STREAM.video, Buffer.concat([configurationTagHead(format.codec), record]))
  }
}
