import { type MediaTrack } from '../stream.ts'
import { createBitReader } from './bit-reader.ts'

/** An AAC track as the SDP describes it: RFC 3640 §3.3.6, mode AAC-hbr. Undefined when the configuration is unusable. */
export function describeAacTrack(payloadType: number, config: Buffer): MediaTrack | undefined {
  const parsed = parseAacConfig(config)
  if (!parsed) return undefined
  return {
    kind: 'audio',
    codec: 'aac',
    payloadType,
    clockRate: parsed.sampleRate,
    encodingName: 'MPEG4-GENERIC',
    channels: parsed.channels,
    fmtp: [
      'streamtype=5; profile-level-id=1; mode=AAC-hbr; sizelength=13; indexlength=3; indexdeltalength=3',
      `config=${config.toString('hex')}`,
    ].join('; '),
  }
}

/** What must be known to take RFC 3640 packets apart. */
export interface AacFormat {
  /** AudioSpecificConfig. */
  readonly config: Buffer
  readonly sizeLength: number
  readonly indexLength: number
  readonly indexDeltaLength: number
  /** RTP clock ticks a frame. */
  readonly ticksPerFrame: number
}

/** Reads it from a track's `fmtp`; undefined when the track is not of RFC 3640, or says too little. */
export function readAacFormat(track: MediaTrack): AacFormat | undefined {
  if (track.encodingName.toUpperCase() !== 'MPEG4-GENERIC' || !track.fmtp) return undefined
  const parameters = new Map<string, string>()
  for (const parameter of track.fmtp.split(';')) {
    const [name, value] = parameter.split('=', 2)
    if (value !== undefined) parameters.set(name!.trim().toLowerCase(), value.trim())
  }
  const length = (name: string) => Math.min(32, Math.max(0, Number.parseInt(parameters.get(name) ?? '0', 10) || 0))
  const config = Buffer.from(parameters.get('config') ?? '', 'hex')
  const parsed = parseAacConfig(config)
  const sizeLength = length('sizelength')
  if (!parsed || sizeLength === 0) return undefined
  return {
    config,
    sizeLength,
    indexLength: length('indexlength'),
    indexDeltaLength: length('indexdeltalength'),
    ticksPerFrame: Math.round((parsed.samplesPerFrame * track.clockRate) / parsed.sampleRate),
  }
}

/** The content of an AudioSpecificConfig (ISO 14496-3 §1.6.2.1). */
interface AacConfig {
  readonly objectType: number
  /** Of the sound that comes out, which for explicit SBR is twice the core's. */
  readonly sampleRate: number
  readonly channels: number
  /** Samples at `sampleRate` that one frame makes. */
  readonly samplesPerFrame: number
}

const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]
/** Index 0 means that the channels are described elsewhere; stereo is the best guess. */
const CHANNELS = [2, 1, 2, 3, 4, 5, 6, 8]
const SBR = 5
const PARAMETRIC_STEREO = 29

/** Undefined when it is cut short or names no usable rate. */
export function parseAacConfig(config: Buffer): AacConfig | undefined {
  const reader = createBitReader(config)
  const readObjectType = () => {
    const type = reader.bits(5)
    return type === 31 ? 32 + reader.bits(6) : type
  }
  const readRate = () => {
    const index = reader.bits(4)
    return index === 15 ? reader.bits(24) : (RATES[index] ?? 0)
  }

  let objectType = readObjectType()
  const coreRate = readRate()
  const channels = CHANNELS[reader.bits(4)]
  const isExtended = objectType === SBR || objectType === PARAMETRIC_STEREO
  const sampleRate = isExtended ? readRate() : coreRate
  if (isExtended) objectType = readObjectType()
  const coreSamples = reader.flag() ? 960 : 1024
  if (reader.isPastEnd || !channels || coreRate < 1000 || sampleRate < coreRate || sampleRate > 192_000)
    return undefined
  return { objectType, sampleRate, channels, samplesPerFrame: Math.round((coreSamples * sampleRate) / coreRate) }
}
