/** Why there is no connection. Each protocol has its own sentences for these, and its own advice. */
export type ConnectionFailureKind =
  /** Nobody listens there. */
  | 'refused'
  /** It stood, or was about to. */
  | 'broken-off'
  | 'timed-out'
  | 'no-route'
  /** Something answers that speaks no TLS. */
  | 'not-tls'
  /** The certificate does not say that it is the host that we wanted. */
  | 'untrusted'
  | 'other'

type Failure = Pick<NodeJS.ErrnoException, 'message'> & { readonly code?: unknown }

const KINDS: Readonly<Record<string, ConnectionFailureKind>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'broken-off',
  EPIPE: 'broken-off',
  ETIMEDOUT: 'timed-out',
  EHOSTUNREACH: 'no-route',
  ENETUNREACH: 'no-route',
  EPROTO: 'not-tls',
  ERR_SSL_WRONG_VERSION_NUMBER: 'not-tls',
}

export function connectionFailureKind({ code }: Failure): ConnectionFailureKind {
  if (typeof code !== 'string') return 'other'
  return KINDS[code] ?? (isCertificateProblem(code) ? 'untrusted' : 'other')
}

/** What kept us from connecting, as a sentence; without the address that was dialled: users know the host by its name. */
export function connectionFailure(error: Failure): string {
  switch (connectionFailureKind(error)) {
    case 'refused':
      return 'Connection refused.'
    case 'broken-off':
      return 'The connection was broken off.'
    case 'timed-out':
      return 'Connection timed out.'
    case 'no-route':
      return 'There is no route to the host.'
    case 'not-tls':
      return 'It does not speak TLS; check the port.'
    case 'untrusted':
      return certificateFailure(error)
    case 'other':
      return `The connection failed: ${failureDetail(error)}.`
  }
}

/** Of a failure that is `untrusted`: what is wrong with the certificate, and what to do about it. */
export function certificateFailure(error: Failure): string {
  return `Its certificate is not trusted: ${failureDetail(error)}. ${certificateAdvice(String(error.code))}`.trim()
}

/** In the words of the system, for what has no sentence of its own. */
export function failureDetail({ code, message }: Failure): string {
  // The message of such an error names the address that was dialled.
  return isSystemError(code) ? code : message.replace(/\.$/, '')
}

/** An error of the system, and none of a peer or of a library. */
export const isSystemError = (code: unknown): code is string =>
  typeof code === 'string' && /^E(?!RR_)[A-Z0-9]+$/.test(code)

/** OpenSSL's names for them, as Node passes them on. */
const isCertificateProblem = (code: string) => /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|HOSTNAME_MISMATCH/.test(code)

function certificateAdvice(code: string): string {
  if (/EXPIRED/.test(code)) return 'Have it renewed.'
  if (/ALTNAME|HOSTNAME/.test(code)) return 'Call the host by a name that is in it.'
  if (/SELF_SIGNED|UNABLE_TO/.test(code))
    return 'For an authority of your own, start the service with NODE_EXTRA_CA_CERTS=/path/to/its-authority.pem.'
  return ''
}
