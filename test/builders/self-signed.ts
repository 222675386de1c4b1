import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const KEYS = { ec: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'], rsa: ['-newkey', 'rsa:2048'] }

/** A certificate for a host that only tests trust, made on the spot so that no key lies in the repository. */
export function createSelfSigned(host = 'localhost', kind: keyof typeof KEYS = 'ec'): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-tls-'))
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const options = ['-x509', ...KEYS[kind], '-nodes', '-days', '2']
  execFileSync('openssl', ['req', ...options, '-subj', `/CN=${host}`, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  })
  const pair = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  rmSync(folder, { recursive: true })
  return pair
}
