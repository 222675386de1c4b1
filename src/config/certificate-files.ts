import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { type Certificate, type ServedCertificate } from '../core/certificate.ts'

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

export interface WatchedCertificateOptions {
  readonly files: CertificateFiles
  readonly log: { info(text: string): void; warn(text: string): void }
  readonly everyMs?: number
}

export interface WatchedCertificate extends ServedCertificate {
  close(): void
}

const LOOK_EVERY_MS = 2_000

/**
 * Reads a renewed certificate without a restart. The files are looked at again and again, because what renews them replaces links
 * (certbot) or folders of links (Kubernetes), of which a watch on a file learns nothing. They are read once they stay the same from
 * one look to the next, so not while they are written; a pair that cannot be served leaves the one before it in use.
 */
export function watchCertificate({
  files,
  log,
  everyMs = LOOK_EVERY_MS,
}: WatchedCertificateOptions): WatchedCertificate {
  const listeners: ((certificate: Certificate) => void)[] = []
  let current = readCertificate(files)
  /** What was seen at the last look, and what of it was read, or refused, already. */
  let seen: string | undefined
  let judged: string | undefined
  let isClosed = false
  let timer = setTimeout(look, everyMs).unref()

  function look(): void {
    void lookOnce().finally(() => {
      if (!isClosed) timer = setTimeout(look, everyMs).unref()
    })
  }

  async function lookOnce(): Promise<void> {
    const before = seen
    seen = (await Promise.all([identityOf(files.certFile), identityOf(files.keyFile)])).join()
    if (seen !== before || seen === judged) return
    judged = seen
    try {
      take(checkedCertificate(await read(files)))
    } catch (error) {
      const reason = (error as Error).message
      log.warn(
        `AERIE_TLS_CERT and AERIE_TLS_KEY have changed and cannot be used (${reason}): the old pair stays in use.`,
      )
    }
  }

  function take(certificate: Certificate): void {
    if (isClosed || (certificate.cert === current.cert && certificate.key === current.key)) return
    current = certificate
    for (const listener of listeners) listener(certificate)
    log.info('The certificate was replaced: new connections get the new one.')
  }

  return {
    get current() {
      return current
    },
    onChange: (listener) => void listeners.push(listener),
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

async function read({ certFile, keyFile }: CertificateFiles): Promise<Certificate> {
  // Opening a pipe would wait for whoever writes to it, and end never.
  for (const file of [certFile, keyFile]) if (!(await stat(file)).isFile()) throw new Error(`${file} is not a file`)
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')])
  return { cert, key }
}

/** Another file, or another content, has another one. Links are followed. */
async function identityOf(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeMs } = await stat(path)
    return [dev, ino, size, mtimeMs].join(' ')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unreadable'
  }
}
