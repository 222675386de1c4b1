import { type MediaTrack } from '../stream.ts'
import { parseAacConfig } from './aac-config.ts'

/** An AAC track as the SDP says it: RFC 3640 §3.3.6, mode AAC-hbr. Undefined when the configuration is unusable. */
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
