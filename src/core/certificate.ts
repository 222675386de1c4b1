/** A certificate chain and its private key, as PEM texts. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** The certificate that is served now; it is replaced when it is renewed. */
export interface ServedCertificate {
  readonly current: Certificate
  onChange(listener: (certificate: Certificate) => void): void
}
