import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { type Certificate } from '../core/certificate.ts'

/** Two PEM files. */
export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
}

/** At the start, before anything is served. */
export function readCertificate({ certFile, keyFile }: CertificateFiles): Certificate {
  return checkedCertificate({ cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') })
}

/** Throws when it could not be served: that would only be noticed when somebody connects, or in words nobody understands. */
export function checkedCertificate(certificate: Certificate): Certificate {
  createSecureContext(certificate)
  // OpenSSL keeps a pair for each kind of key, and so takes the key of an older RSA certificate beside a new ECDSA one.
  if (!new X509Certificate(certificate.cert).checkPrivateKey(createPrivateKey(certificate.key)))
    throw new Error('the key is of another certificate')
  return certificate
}
