import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSelfSigned } from '../builders/self-signed.ts'

/** A certificate as certbot keeps it: links, which are replaced when it is renewed. */
export interface CertificateFolder {
  readonly settings: { readonly AERIE_TLS_CERT: string; readonly AERIE_TLS_KEY: string }
  /** Puts another one in its place, the certificate first, and answers it in PEM. */
  renew(): string
  remove(): void
}

export function createCertificateFolder(): CertificateFolder {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-live-'))
  const [certFile, keyFile] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')]
  let version = 0

  function link(file: string, text: string): void {
    const target = `${file}.${version}`
    writeFileSync(target, text)
    symlinkSync(target, `${file}.link`)
    renameSync(`${file}.link`, file)
  }

  function renew(): string {
    version++
    const { cert, key } = createSelfSigned('localhost')
    link(certFile, cert)
    link(keyFile, key)
    return cert
  }

  renew()
  return {
    settings: { AERIE_TLS_CERT: certFile, AERIE_TLS_KEY: keyFile },
    renew,
    remove: () => rmSync(folder, { recursive: true }),
  }
}
