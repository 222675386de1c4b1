import { execFileSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSelfSigned } from '../../test/builders/self-signed.ts'
import { until } from '../../test/support/until.ts'
import { type Certificate } from '../core/certificate.ts'
import { watchCertificate } from './certificate-files.ts'

const old = createSelfSigned('old.example.org')
const renewed = createSelfSigned('new.example.org')
const rsa = createSelfSigned('rsa.example.org', 'rsa')

function watched() {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-watched-'))
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
  const write = ({ cert, key }: Certificate) => {
    writeFileSync(files.certFile, cert)
    writeFileSync(files.keyFile, key)
  }
  write(old)
  const lines: string[] = []
  const note = (line: string) => void lines.push(line)
  const certificate = watchCertificate({ files, log: { info: note, warn: note }, everyMs: 5 })
  onTestFinished(() => {
    certificate.close()
    rmSync(folder, { recursive: true })
  })
  const changes: Certificate[] = []
  certificate.onChange((changed) => void changes.push(changed))
  return { folder, files, write, lines, certificate, changes }
}

test('a pair that was written anew is served from then on, and said once', async () => {
  const { write, lines, certificate, changes } = watched()
  expect(certificate.current).toEqual(old)
  write(renewed)
  await until(async () => changes.length > 0)
  expect(certificate.current).toEqual(renewed)
  expect(changes).toEqual([renewed])
  expect(lines.at(-1)).toBe('The certificate was replaced: new connections get the new one.')
})

test('links that lead elsewhere are followed, as certbot replaces them', async () => {
  const { folder, files, changes } = watched()
  for (const [file, text] of [
    [files.keyFile, renewed.key],
    [files.certFile, renewed.cert],
  ] as const) {
    writeFileSync(`${file}.archive`, text)
    symlinkSync(`${file}.archive`, join(folder, 'link'))
    renameSync(join(folder, 'link'), file)
  }
  await until(async () => changes.length > 0)
  expect(changes.at(-1)).toEqual(renewed)
})

test.each<[string, (files: { certFile: string; keyFile: string }) => void, string]>([
  ['the certificate of another key', ({ certFile }) => writeFileSync(certFile, renewed.cert), 'mismatch'],
  ['the key of another kind', ({ keyFile }) => writeFileSync(keyFile, rsa.key), 'the key is of another certificate'],
  ['half a certificate', ({ certFile }) => truncateSync(certFile, 200), 'PEM'],
  ['no key', ({ keyFile }) => unlinkSync(keyFile), 'ENOENT'],
])('%s leaves the old pair in use, is said once, and is mended later', async (_name, damage, reason) => {
  const { files, write, lines, certificate, changes } = watched()
  damage(files)
  await until(async () => lines.length > 0)
  expect(lines[0]).toMatch(new RegExp(`^AERIE_TLS_CERT and AERIE_TLS_KEY have changed.*${reason}.*stays in use`, 'i'))
  expect(certificate.current).toEqual(old)
  expect(changes).toEqual([])
  write(renewed)
  await until(async () => changes.length > 0)
  expect(certificate.current).toEqual(renewed)
  expect(lines.filter((line) => line === lines[0])).toHaveLength(1)
})

test('a pipe in place of a file is not waited for: the next pair is served', async () => {
  const { files, write, lines, certificate } = watched()
  unlinkSync(files.certFile)
  execFileSync('mkfifo', [files.certFile])
  await until(async () => lines.some((line) => line.includes('is not a file')))
  unlinkSync(files.certFile)
  write(renewed)
  await until(async () => certificate.current.cert === renewed.cert)
})
