import { type Codec, type MediaTrack } from '../stream.ts'
import { announcedParameterSets } from './fmtp.ts'
import { RtspFailure } from './message.ts'

/** One `m=` section: the track, and what the publisher's URLs call it. */
export interface AnnouncedTrack {
  readonly track: MediaTrack
  readonly control: string | undefined
}

export const MAX_TRACKS = 8

/** What the older payload types mean without an `a=rtpmap` (RFC 3551 §6). */
const staticFormats: Readonly<Record<number, string>> = {
  0: 'PCMU/8000',
  3: 'GSM/8000',
  8: 'PCMA/8000',
  9: 'G722/8000',
  14: 'MPA/90000',
  26: 'JPEG/90000',
  32: 'MPV/90000',
  33: 'MP2T/90000',
}

const codecs: Readonly<Record<string, Codec>> = {
  H264: 'h264',
  H265: 'h265',
  HEVC: 'h265',
  'MPEG4-GENERIC': 'aac',
  OPUS: 'opus',
  PCMA: 'pcma',
  PCMU: 'pcmu',
}

/** Reads what a publisher will send (RFC 8866). Lines that say nothing about tracks are passed over. */
export function parseSdp(text: string): AnnouncedTrack[] {
  const sections = text.split(/^m=/m).slice(1)
  if (sections.length === 0) throw new RtspFailure(400, 'The description has no media section.')
  if (sections.length > MAX_TRACKS) throw new RtspFailure(400, `A stream may have ${MAX_TRACKS} tracks.`)
  return sections.map(parseSection)
}

function parseSection(section: string): AnnouncedTrack {
  const [first = '', ...lines] = section.split(/\r\n|\n|\r/)
  const [media = '', , protocol = '', format = ''] = first.trim().split(/\s+/)
  const payloadType = Number(format)
  if (!protocol.startsWith('RTP/') || !/^\d{1,3}$/.test(format) || payloadType > 127) {
    throw new RtspFailure(400, 'A media section must be RTP with a payload type.')
  }
  const attribute = (name: string) => {
    const prefix = `a=${name}:`
    return lines
      .find((line) => line.startsWith(prefix))
      ?.slice(prefix.length)
      .trim()
  }
  const ofFormat = (name: string) => {
    const prefix = new RegExp(`^a=${name}:\\s*${payloadType}\\s+`)
    return lines
      .find((line) => prefix.test(line))
      ?.replace(prefix, '')
      .trim()
  }

  const kind = media === 'video' || media === 'audio' ? media : 'data'
  const [encodingName = '', clock, channels] = (ofFormat('rtpmap') ?? staticFormats[payloadType] ?? '').split('/')
  const codec = codecs[encodingName.toUpperCase()] ?? 'other'
  const fmtp = ofFormat('fmtp')
  const parameterSets = fmtp ? announcedParameterSets(codec, fmtp) : []
  return {
    control: attribute('control'),
    track: {
      kind,
      codec,
      payloadType,
      clockRate: positive(clock) ?? (kind === 'audio' ? 8_000 : 90_000),
      encodingName,
      ...(kind === 'audio' && positive(channels) && { channels: positive(channels)! }),
      ...(fmtp && { fmtp }),
      ...(parameterSets.length > 0 && { parameterSets }),
    },
  }
}

function positive(text: string | undefined): number | undefined {
  return text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}
