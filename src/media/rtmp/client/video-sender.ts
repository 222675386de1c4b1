import { h264Codec } from '../../rtp/h264-codec.ts'
import { isParameterSet, readPictureInfo } from '../../rtp/nal-unit-codec.ts'
import { type AmfObject } from '../wire/amf0.ts'
import { CHUNK_STREAM, chunkBody, createHeaderWriter } from '../wire/chunk-writer.ts'
import { writeData } from '../wire/command.ts'
import { buildAvcConfiguration } from '../wire/configuration-record.ts'
import { configurationTagHead, frameTagHead } from '../wire/flv-video.ts'
import { MESSAGE } from '../wire/message.ts'
import { joinNalUnits } from '../wire/nal-units.ts'
import { areSame, belongsInFrame, mergeParameterSets } from '../wire/parameter-sets.ts'
import { type Outbox } from './outbox.ts'

/** An encoded H.264 picture of a stream without B pictures: shown in the order in which it is decoded. */
export interface EncodedPicture {
  /** Without start codes; a keyframe brings its parameter sets. Copied: the memory may be used again at once. */
  readonly nalUnits: readonly Buffer[]
  /** From any origin, which each connection takes for its own. */
  readonly ptsMs: number
  readonly isKeyframe: boolean
}

/** Pictures to one server. */
export interface VideoSender {
  /** Never waits: what doesn't fit is dropped, and with it all up to the next keyframe. */
  write(picture: EncodedPicture): void
  /** Because the server took too little. */
  readonly droppedPictures: number
}

/** A message header with the sets and metadata that may come before a picture. */
const OVERHEAD_BYTES = 16 * 1024

export function createVideoSender(outbox: Outbox, streamId: number): VideoSender {
  const headers = createHeaderWriter(CHUNK_STREAM.video, MESSAGE.video, streamId)
  let sets: readonly Buffer[] = []
  let sentSets: readonly Buffer[] = []
  let isWaitingForKeyframe = true
  let hasFallenBehind = false
  let droppedPictures = 0
  let lastPtsMs: number | undefined
  let streamMs = 0

  return {
    get droppedPictures() {
      return droppedPictures
    },
    write({ nalUnits, ptsMs, isKeyframe }) {
      if (nalUnits.some((unit) => isParameterSet(h264Codec, unit))) sets = mergeParameterSets(h264Codec, sets, nalUnits)
      if (isWaitingForKeyframe && !mayBegin(isKeyframe)) return drop()
      const configuration = isWaitingForKeyframe || !areSame(sets, sentSets) ? buildAvcConfiguration(sets) : undefined
      // Nothing can be decoded before the sets have come.
      if (isWaitingForKeyframe && !configuration) return
      const slices = nalUnits.filter((unit) => unit.length > 0 && belongsInFrame(h264Codec, unit))
      if (slices.length === 0) return
      const tag = joinNalUnits(frameTagHead('h264', isKeyframe, 0), slices)
      if (outbox.isBehind || !outbox.hasRoomFor(tag.length + OVERHEAD_BYTES)) return fallBehind()

      isWaitingForKeyframe = false
      hasFallenBehind = false
      advanceTo(ptsMs)
      if (configuration && !areSame(sets, sentSets)) sendConfiguration(configuration)
      send(tag)
    },
  }

  function mayBegin(isKeyframe: boolean): boolean {
    return isKeyframe && (!hasFallenBehind || outbox.isRelaxed)
  }

  function drop(): void {
    if (hasFallenBehind) droppedPictures++
  }

  function fallBehind(): void {
    isWaitingForKeyframe = true
    hasFallenBehind = true
    drop()
  }

  /** Time counts from 0 on each connection, and never goes back, whatever the pictures' times do. */
  function advanceTo(ptsMs: number): void {
    streamMs += Math.max(0, ptsMs - (lastPtsMs ?? ptsMs))
    lastPtsMs = ptsMs
  }

  function sendConfiguration(record: Buffer): void {
    sentSets = sets
    outbox.send(writeData(streamId, '@setDataFrame', 'onMetaData', metadata(sets)))
    send(Buffer.concat([configurationTagHead('h264'), record]))
  }

  function send(tag: Buffer): void {
    outbox.send(headers.next(Math.round(streamMs), tag.length), chunkBody(CHUNK_STREAM.video, tag))
  }
}

function metadata(sets: readonly Buffer[]): AmfObject {
  const picture = readPictureInfo(h264Codec, sets)
  return { ...(picture && { width: picture.width, height: picture.height }), videocodecid: 7, encoder: 'Aerie' }
}
