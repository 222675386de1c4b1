import { MAX_OFFER_BYTES } from '../messages.ts'

/** What a browser offers (RFC 8829), as far as choosing needs it; the rest is read by the WebRTC library. */
export interface Offer {
  readonly media: readonly OfferedMedia[]
}

export interface OfferedMedia {
  readonly kind: 'video' | 'audio' | 'other'
  readonly mid: string
  readonly direction: Direction
  /** In the order of the browser's liking. */
  readonly formats: readonly OfferedFormat[]
}

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

export interface OfferedFormat {
  readonly payloadType: number
  /** `a=rtpmap` name in upper case: `H264`, `OPUS`… */
  readonly name: string
  readonly clockRate: number
  readonly channels: number
  /** The parameters of `a=fmtp`, verbatim. */
  readonly fmtp: string
}

/** The text can't be an offer. The message says what is wrong with it. */
export class OfferError extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'OfferError'
  }
}

const MAX_SECTIONS = 16
const MID = /^[A-Za-z0-9._~-]{1,32}$/

const staticFormats: Readonly<Record<number, string>> = { 0: 'PCMU/8000', 8: 'PCMA/8000', 9: 'G722/8000' }

export function parseOffer(sdp: string): Offer {
  if (sdp.length > MAX_OFFER_BYTES) throw new OfferError(`It is longer than ${MAX_OFFER_BYTES} bytes.`)
  if (!/^v=0\r?\n/.test(sdp)) throw new OfferError('It does not begin with v=0.')
  const [session = '', ...sections] = sdp.split(/^m=/m)
  if (sections.length === 0) throw new OfferError('It has no media section.')
  if (sections.length > MAX_SECTIONS) throw new OfferError(`It has more than ${MAX_SECTIONS} media sections.`)
  for (const name of ['ice-ufrag', 'ice-pwd', 'fingerprint']) {
    if (![session, ...sections].some((part) => hasAttribute(part, name))) throw new OfferError(`It has no a=${name}.`)
  }
  const media = sections.map(parseSection)
  const mids = new Set(media.map(({ mid }) => mid))
  if (mids.size < media.length) throw new OfferError('Two media sections have the same a=mid.')
  return { media }
}

function hasAttribute(part: string, name: string): boolean {
  return new RegExp(`^a=${name}:\\s*\\S`, 'm').test(part)
}

function parseSection(section: string): OfferedMedia {
  const [first = '', ...lines] = section.split(/\r\n|\n/)
  const [media, , , ...payloadTypes] = first.trim().split(/\s+/)
  const mid = lines.find((line) => line.startsWith('a=mid:'))?.slice('a=mid:'.length)
  if (!mid || !MID.test(mid)) throw new OfferError('A media section has no usable a=mid.')
  const direction = /^a=(sendrecv|sendonly|recvonly|inactive)$/m.exec(lines.join('\n'))?.[1] ?? 'sendrecv'
  const kind = media === 'video' || media === 'audio' ? media : 'other'
  const formats = kind === 'other' ? [] : payloadTypes.flatMap((text) => parseFormat(text, lines))
  return { kind, mid, direction: direction as Direction, formats }
}

function parseFormat(text: string, lines: readonly string[]): OfferedFormat[] {
  const payloadType = Number(text)
  if (!/^\d{1,3}$/.test(text) || payloadType > 127) return []
  const valueOf = (name: string) => {
    const prefix = `a=${name}:${payloadType} `
    return lines
      .find((line) => line.startsWith(prefix))
      ?.slice(prefix.length)
      .trim()
  }
  const [name = '', clock = '', channels = '1'] = (valueOf('rtpmap') ?? staticFormats[payloadType] ?? '').split('/')
  if (!/^[A-Za-z0-9._-]{1,32}$/.test(name) || !/^\d{1,6}$/.test(clock) || !/^\d$/.test(channels)) return []
  const fmtp = valueOf('fmtp') ?? ''
  return [{ payloadType, name: name.toUpperCase(), clockRate: Number(clock), channels: Number(channels), fmtp }]
}
