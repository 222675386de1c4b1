import { findDescriptor } from '../mp4/codec-name.ts'
import { findBox } from '../mp4/mp4-boxes.ts'
import { type HeaderTrack, type Mp4Header } from '../mp4/mp4-header.ts'
import { type Sample } from '../mp4/fragment-samples.ts'
import { type TsCodec } from './program-tables.ts'

/** How the samples of a file's track are written in a transport stream. */
export interface TsTrack {
  readonly id: number
  readonly timescale: number
  readonly codec: TsCodec
  /** The pieces of the elementary stream; undefined of a sample that cannot be written. */
  toElementary(sample: Pick<Sample, 'isSync'>, bytes: Buffer): Buffer[] | undefined
}

export interface TsTracks {
  readonly video: TsTrack
  /** Sound of another kind is left out. */
  readonly audio: TsTrack | undefined
}

/** Undefined where the video is of another codec. */
export function tsTracksOf({ tracks }: Mp4Header): TsTracks | undefined {
  const video = tracks.map(videoTrack).find((track) => track !== undefined)
  const audio = tracks.map(audioTrack).find((track) => track !== undefined)
  return video && { video, audio }
}

const START_CODE = Buffer.from([0, 0, 0, 1])

interface VideoFormat {
  readonly codec: TsCodec
  readonly delimiter: Buffer
  readonly typeOf: (nalUnit: Buffer) => number
  readonly delimiterType: number
  /** Of the sequence's parameter set. */
  readonly setType: number
}

const H264: VideoFormat = {
  codec: 'h264',
  delimiter: Buffer.from([0x09, 0xf0]),
  typeOf: (nalUnit) => nalUnit[0]! & 0x1f,
  delimiterType: 9,
  setType: 7,
}
const H265: VideoFormat = {
  codec: 'h265',
  delimiter: Buffer.from([0x46, 0x01, 0x50]),
  typeOf: (nalUnit) => (nalUnit[0]! >> 1) & 0x3f,
  delimiterType: 35,
  setType: 33,
}

function videoTrack({ id, timescale, kind, entry }: HeaderTrack): TsTrack | undefined {
  if (kind !== 'video') return undefined
  const [avcC, hvcC] = [findBox(entry, 'avcC'), findBox(entry, 'hvcC')]
  if (avcC && avcC.length >= 7) return { id, timescale, ...nalUnits(H264, (avcC[4]! & 3) + 1, setsOfAvcC(avcC)) }
  if (hvcC && hvcC.length >= 23) return { id, timescale, ...nalUnits(H265, (hvcC[21]! & 3) + 1, setsOfHvcC(hvcC)) }
  return undefined
}

/** NAL units with a start code before each in the place of their lengths; the parameter sets before each keyframe that has none. */
function nalUnits(
  format: VideoFormat,
  lengthBytes: number,
  sets: readonly Buffer[],
): Pick<TsTrack, 'codec' | 'toElementary'> {
  return {
    codec: format.codec,
    toElementary({ isSync }, bytes) {
      const units = split(bytes, lengthBytes)
      if (!units) return undefined
      const own = units.filter((unit) => format.typeOf(unit) !== format.delimiterType)
      const needsSets = isSync && !own.some((unit) => format.typeOf(unit) === format.setType)
      const all = [format.delimiter, ...(needsSets ? sets : []), ...own]
      return all.flatMap((unit) => [START_CODE, unit])
    },
  }
}

/** Undefined where a length leads beyond the sample. */
function split(sample: Buffer, lengthBytes: number): Buffer[] | undefined {
  const units: Buffer[] = []
  for (let at = 0; at < sample.length;) {
    if (at + lengthBytes > sample.length) return undefined
    const length = sample.readUIntBE(at, lengthBytes)
    at += lengthBytes
    if (at + length > sample.length) return undefined
    if (length > 0) units.push(sample.subarray(at, at + length))
    at += length
  }
  return units
}

/** ISO/IEC 14496-15 §5.3.3.1: those of the sequence, then those of pictures. */
function setsOfAvcC(avcC: Buffer): Buffer[] {
  const first = setsAt(avcC, 6, avcC[5]! & 0x1f)
  const second = setsAt(avcC, first.end + 1, avcC[first.end] ?? 0)
  return [...first.sets, ...second.sets]
}

/** §8.3.3.1: arrays of one kind each. */
function setsOfHvcC(hvcC: Buffer): Buffer[] {
  const sets: Buffer[] = []
  let at = 23
  for (let array = 0; array < hvcC[22]! && at + 3 <= hvcC.length; array++) {
    const read = setsAt(hvcC, at + 3, hvcC.readUInt16BE(at + 1))
    sets.push(...read.sets)
    at = read.end
  }
  return sets
}

function setsAt(config: Buffer, start: number, count: number): { sets: Buffer[]; end: number } {
  const sets: Buffer[] = []
  let at = start
  for (let set = 0; set < count && at + 2 <= config.length; set++) {
    const length = config.readUInt16BE(at)
    if (length > 0) sets.push(config.subarray(at + 2, at + 2 + length))
    at += 2 + length
  }
  return { sets, end: at }
}

const DECODER_CONFIG = 0x04
const DECODER_SPECIFIC = 0x05
const CONFIG_HEAD_BYTES = 13
/** Object types of MPEG-4, MPEG-2 and MPEG-1 sound (ISO/IEC 14496-1 table 5). */
const AAC = 0x40
const MP3 = [0x69, 0x6b]

function audioTrack({ id, timescale, kind, entry }: HeaderTrack): TsTrack | undefined {
  const esds = kind === 'audio' ? findBox(entry, 'esds') : undefined
  const config = esds && findDescriptor(esds.subarray(4), DECODER_CONFIG)
  const type = config?.[0]
  if (!config || type === undefined) return undefined
  if (MP3.includes(type)) return { id, timescale, codec: 'mp3', toElementary: (_sample, bytes) => [bytes] }
  const specific = type === AAC ? findDescriptor(config.subarray(CONFIG_HEAD_BYTES), DECODER_SPECIFIC) : undefined
  const headerOf = specific && adtsHeader(specific)
  if (!headerOf) return undefined
  return {
    id,
    timescale,
    codec: 'aac',
    toElementary(_sample, bytes) {
      const header = headerOf(bytes.length)
      return header && [header, bytes]
    },
  }
}

const MAX_ADTS_BYTES = 0x1fff
const LOW_COMPLEXITY = 2
/** SBR and PS, which a decoder finds by itself in a stream that is declared as what they extend. */
const EXTENSIONS = [5, 29]

/** ISO/IEC 14496-3 §1.6.2.1 and §1.A.2.2; undefined where a frame can't be described so. */
function adtsHeader(specific: Buffer): ((bytes: number) => Buffer | undefined) | undefined {
  if (specific.length < 2) return undefined
  const declared = specific[0]! >> 3
  const objectType = EXTENSIONS.includes(declared) ? LOW_COMPLEXITY : declared
  const frequency = ((specific[0]! & 7) << 1) | (specific[1]! >> 7)
  const channels = (specific[1]! >> 3) & 0xf
  if (objectType < 1 || objectType > 4 || frequency > 12 || channels < 1 || channels > 7) return undefined
  return (bytes) => {
    const length = bytes + 7
    if (length > MAX_ADTS_BYTES) return undefined
    return Buffer.from([
      0xff,
      0xf1,
      ((objectType - 1) << 6) | (frequency << 2) | (channels >> 2),
      ((channels & 3) << 6) | (length >> 11),
      (length >> 3) & 0xff,
      ((length & 7) << 5) | 0x1f,
      0xfc,
    ])
  }
}
