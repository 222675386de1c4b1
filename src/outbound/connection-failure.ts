/** What kept us from connecting, as a sentence; without the address that was dialled: users know the host by its name. */
export function connectionFailure({ code = '', message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'Connection refused.'
    case 'ECONNRESET':
    case 'EPIPE':
      return 'The connection was broken off.'
    case 'ETIMEDOUT':
      return 'Connection timed out.'
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'There is no route to the host.'
    default:
      if (isCertificateProblem(code))
        return `Its certificate is not trusted: ${message.replace(/\.$/, '')}. For an authority of your own, set NODE_EXTRA_CA_CERTS.`
      return `The connection failed: ${message.replace(/\.$/, '')}.`
  }
}

/** OpenSSL's names for them, as Node passes them on. */
const isCertificateProblem = (code: string) => /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|HOSTNAME_MISMATCH/.test(code)
