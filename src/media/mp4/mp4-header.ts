import { createHash } from 'node:crypto'
import { type RecordedMediaTrack } from '../../core/recorded-time.ts'
import { NO_DEFAULTS, type SampleDefaults } from './fragment-samples.ts'
import { boxesIn, findBox } from './mp4-boxes.ts'
import { codecName } from './codec-name.ts'

/** What the `moov` of a fragmented MP4 says of its tracks (ISO/IEC 14496-12 §8). */
export interface Mp4Header {
  /** The first 16 hex digits of the SHA-256 of `ftyp` and `moov`. */
  readonly hash: string
  /** The video first. */
  readonly tracks: readonly HeaderTrack[]
}

export interface HeaderTrack extends RecordedMediaTrack {
  /** The sample entry's: `avc1`, `mp4a`. */
  readonly format: string
  /** As in an HLS playlist (RFC 6381). */
  readonly codec: string
  /** Of the video. */
  readonly width: number
  readonly height: number
  /** The boxes inside the sample entry. */
  readonly entry: Buffer
  readonly defaults: SampleDefaults
}

/** Behind these come the boxes of a sample entry (§12.1.3, §12.2.3). */
const VISUAL_ENTRY_BYTES = 78
const AUDIO_ENTRY_BYTES = 28

/** Reads `ftyp` and `moov`; undefined where there is no track of video that can be read. */
export function readMp4Header(init: Buffer): Mp4Header | undefined {
  const moov = findBox(init, 'moov')
  if (!moov) return undefined
  try {
    const tracks = [...boxesIn(moov)].filter(({ type }) => type === 'trak').map(({ body }) => readTrack(body, moov))
    const known = tracks.filter((track) => track !== undefined)
    const sorted = [...known.filter(({ kind }) => kind === 'video'), ...known.filter(({ kind }) => kind === 'audio')]
    if (sorted[0]?.kind !== 'video') return undefined
    return { hash: createHash('sha256').update(init).digest('hex').slice(0, 16), tracks: sorted }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function readTrack(trak: Buffer, moov: Buffer): HeaderTrack | undefined {
  const header = findBox(trak, 'tkhd')
  const media = findBox(trak, 'mdia', 'mdhd')
  const handler = findBox(trak, 'mdia', 'hdlr')?.toString('latin1', 8, 12)
  const descriptions = findBox(trak, 'mdia', 'minf', 'stbl', 'stsd')
  const [description] = descriptions ? boxesIn(descriptions.subarray(8)) : []
  const isVideo = handler === 'vide'
  if (!header || !media || !description || (!isVideo && handler !== 'soun')) return undefined
  const { type: format, body } = description
  const entry = body.subarray(isVideo ? VISUAL_ENTRY_BYTES : AUDIO_ENTRY_BYTES)
  const id = header.readUInt32BE(header[0] === 1 ? 20 : 12)
  const timescale = media.readUInt32BE(media[0] === 1 ? 20 : 12)
  if (timescale === 0) return undefined
  return {
    id,
    kind: isVideo ? 'video' : 'audio',
    timescale,
    format,
    codec: codecName(format, entry),
    width: isVideo ? body.readUInt16BE(24) : 0,
    height: isVideo ? body.readUInt16BE(26) : 0,
    entry,
    defaults: defaultsOf(id, moov),
  }
}

/** `trex` (§8.8.3): track, description, then what is the same for all samples. */
function defaultsOf(trackId: number, moov: Buffer): SampleDefaults {
  for (const { type, body } of boxesIn(findBox(moov, 'mvex') ?? Buffer.alloc(0)))
    if (type === 'trex' && body.readUInt32BE(4) === trackId)
      return { duration: body.readUInt32BE(12), size: body.readUInt32BE(16), flags: body.readUInt32BE(20) }
  return NO_DEFAULTS
}
