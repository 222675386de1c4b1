import { type Codec, type MediaTrack } from '../../stream.ts'
import { announcedParameterSets } from './fmtp.ts'
import { RtspFailure } from './message.ts'

/** One `m=` section: the track, and what the publisher's URLs call it. */
export interface AnnouncedTrack {
  readonly track: MediaTrack
  readonly control: string | undefined
}

const MAX_TRACKS = 8

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

/** Reads what a publisher will send (RFC 8866). Lines that are not about tracks are skipped. */
export function parseSdp(text: string): AnnouncedTrack[] {
  const [, ...sections] = sectionsOf(text)
  if (sections.length === 0) throw new RtspFailure(400, 'The description has no media section.')
  if (sections.length > MAX_TRACKS) throw new RtspFailure(400, `A stream may have ${MAX_TRACKS} tracks.`)
  return sections.map((section) => {
    const announced = parseSection(section)
    if (!announced) throw new RtspFailure(400, 'A media section must be RTP with a payload type.')
    return announced
  })
}

/** What a server describes: cameras announce more than can be read, and call it oddly. */
export interface ServedDescription {
  /** The control of the whole, of which all tracks are part (RFC 2326 §C.1.1). */
  readonly control: string | undefined
  readonly tracks: readonly AnnouncedTrack[]
}

/** Reads what a server offers; sections that are not RTP are left out. */
export function parseServedSdp(text: string): ServedDescription {
  const [session = '', ...sections] = sectionsOf(text)
  const tracks = sections.slice(0, MAX_TRACKS).flatMap((section) => parseSection(section, true) ?? [])
  return { control: attributesOf(session)('control'), tracks }
}

/** What stands before the first `m=`, and what each of them has behind it. */
function sectionsOf(text: string): string[] {
  return text.split(/^m=/im)
}

/** The first value of an attribute, whatever the case of its name. */
function attributesOf(section: string): (name: string) => string | undefined {
  const lines = section.split(/\r\n|\n|\r/)
  return (name) => {
    const prefix = `a=${name}:`
    return lines
      .find((line) => line.slice(0, prefix.length).toLowerCase() === prefix)
      ?.slice(prefix.length)
      .trim()
  }
}

function parseSection(section: string, prefersKnown = false): AnnouncedTrack | undefined {
  const [first = ''] = section.split(/[\r\n]/, 1)
  const [media = '', , protocol = '', ...formats] = first.trim().split(/\s+/)
  const attributes = formatAttributesOf(section)
  const isNumber = (format: string | undefined) =>
    format !== undefined && /^\d{1,3}$/.test(format) && Number(format) <= 127
  // Of several formats the first is the preferred one; a camera may still mean one that we know.
  const known = formats.find(
    (one) => isNumber(one) && codecOf(attributes(one).rtpmap ?? staticFormats[Number(one)]) !== 'other',
  )
  const format = (prefersKnown && known) || formats[0]
  if (!/^RTP\//i.test(protocol) || !isNumber(format)) return undefined

  const payloadType = Number(format)
  const kind = mediaKind(media)
  const { rtpmap = staticFormats[payloadType] ?? '', fmtp } = attributes(format!)
  const [, clock, channels] = rtpmap.split('/')
  const codec = codecOf(rtpmap)
  const parameterSets = fmtp ? announcedParameterSets(codec, fmtp) : []
  return {
    control: attributesOf(section)('control'),
    track: {
      kind,
      codec,
      payloadType,
      clockRate: positive(clock) ?? (kind === 'audio' ? 8_000 : 90_000),
      encodingName: encodingNameOf(rtpmap),
      ...(kind === 'audio' && positive(channels) && { channels: positive(channels)! }),
      ...(fmtp && { fmtp }),
      ...(parameterSets.length > 0 && { parameterSets }),
    },
  }
}

function mediaKind(media: string): MediaTrack['kind'] {
  const kind = media.toLowerCase()
  return kind === 'video' || kind === 'audio' ? kind : 'data'
}

/** Only as much as a name needs, and nothing that cannot be printed: it is logged, and part of sentences. */
const encodingNameOf = (rtpmap: string): string => /^[!-.0-~]{0,32}/.exec(rtpmap)![0]

const codecOf = (rtpmap = ''): Codec => codecs[encodingNameOf(rtpmap).toUpperCase()] ?? 'other'

interface FormatAttributes {
  readonly rtpmap?: string
  readonly fmtp?: string
}

/** `a=rtpmap` and `a=fmtp` of each payload type. */
function formatAttributesOf(section: string): (payloadType: string) => FormatAttributes {
  const found = new Map<string, { rtpmap?: string; fmtp?: string }>()
  for (const [, name, payloadType, value] of section.matchAll(/^a=(rtpmap|fmtp):[ \t]*(\d{1,3})[ \t](.*)$/gim)) {
    const attributes = found.get(payloadType!) ?? {}
    attributes[name!.toLowerCase() as keyof FormatAttributes] ??= value!.trim()
    found.set(payloadType!, attributes)
  }
  return (payloadType) => found.get(payloadType) ?? {}
}

function positive(text: string | undefined): number | undefined {
  return text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}
