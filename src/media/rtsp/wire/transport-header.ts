/** One way in which a client would like to get or send a track (RFC 2326 §12.39). */
export type TransportOffer =
  | { readonly protocol: 'tcp'; readonly channels: Pair | undefined }
  | { readonly protocol: 'udp'; readonly clientPorts: Pair }

/** The number for RTP and the one for RTCP. */
export type Pair = readonly [rtp: number, rtcp: number]

/** What was agreed on. */
export type TransportAnswer =
  | { readonly protocol: 'tcp'; readonly channels: Pair }
  | { readonly protocol: 'udp'; readonly clientPorts: Pair; readonly serverPorts: Pair }

/** The offers that can be served, in the client's order: plain RTP to one receiver, by TCP or UDP. */
export function parseTransport(header: string): TransportOffer[] {
  return header.split(',').flatMap((text) => parseOffer(text) ?? [])
}

/** A server's answer to our offer. Missing numbers are undefined. */
export type ServerTransport =
  | { readonly protocol: 'tcp'; readonly channels: Pair | undefined }
  | { readonly protocol: 'udp'; readonly serverPorts: Pair | undefined }

/** Undefined for a transport that was not offered, such as multicast. */
export function parseTransportAnswer(header: string): ServerTransport | undefined {
  const { profile, values } = parseParameters(header.split(',', 1)[0]!)
  if (values.has('multicast')) return undefined
  if (profile === 'RTP/AVP/TCP' || values.has('interleaved'))
    return { protocol: 'tcp', channels: parsePair(values.get('interleaved'), 0, 255) }
  return { protocol: 'udp', serverPorts: parsePair(values.get('server_port'), 1, 65_535) }
}

function parseParameters(text: string): { profile: string; values: ReadonlyMap<string, string> } {
  const [profile = '', ...parameters] = text.split(';').map((part) => part.trim())
  const values = new Map<string, string>()
  for (const parameter of parameters) {
    const [name, value = ''] = parameter.split('=', 2)
    values.set(name!.trim().toLowerCase(), value.trim())
  }
  return { profile: profile.toUpperCase(), values }
}

function parseOffer(text: string): TransportOffer | undefined {
  const { profile, values } = parseParameters(text)
  // A client that sends neither `unicast` nor `multicast` means unicast, whatever the RFC's default is.
  if (values.has('multicast')) return undefined
  switch (profile) {
    case 'RTP/AVP/TCP':
      return { protocol: 'tcp', channels: parsePair(values.get('interleaved'), 0, 255) }
    case 'RTP/AVP':
    case 'RTP/AVP/UDP': {
      const clientPorts = parsePair(values.get('client_port'), 1, 65_535)
      return clientPorts && { protocol: 'udp', clientPorts }
    }
    default:
      return undefined
  }
}

/** `5000-5001`, or `5000` for the same. */
function parsePair(text: string | undefined, min: number, max: number): Pair | undefined {
  const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text ?? '')
  if (!match) return undefined
  const first = Number(match[1])
  const second = match[2] === undefined ? first + 1 : Number(match[2])
  return first >= min && first <= max && second >= min && second <= max && first !== second
    ? [first, second]
    : undefined
}

export function formatTransport(answer: TransportAnswer, mode: 'play' | 'record'): string {
  const suffix = mode === 'record' ? ';mode=record' : ''
  if (answer.protocol === 'tcp') return `RTP/AVP/TCP;unicast;interleaved=${answer.channels.join('-')}${suffix}`
  const ports = `client_port=${answer.clientPorts.join('-')};server_port=${answer.serverPorts.join('-')}`
  return `RTP/AVP;unicast;${ports}${suffix}`
}
