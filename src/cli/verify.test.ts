import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aPackage, packageHead, signingKey, smallFiles } from '../../test/builders/evidence-package.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { createSigningKey } from '../clips/evidence/signing-key.ts'
import { verify } from './verify.ts'

const folder = useTemporaryFolder('aerie-verify-')
const said: string[] = []

beforeEach(async () => {
  said.length = 0
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  vi.stubEnv('AERIE_DATA_DIR', join(folder(), 'data'))
  await writeFile(join(folder(), 'package.zip'), await aPackage())
  await writeFile(join(folder(), 'public.pem'), signingKey.pem)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const at = (name: string) => join(folder(), name)

async function keepSecret(secret: string): Promise<void> {
  await mkdir(at('data'))
  await writeFile(at('data/link.secret'), `${secret}\n`)
}

test('with the public key alone, where there is no installation', async () => {
  await verify.run([at('package.zip'), '--key', at('public.pem')])
  expect(said.join('')).toBe(
    'Nothing was changed: 4 files (49 bytes) are as they were when they were signed.\n' +
      'Made on 2026-11-16T03:00:00.000Z for ada by Aerie 0.1.0.\n' +
      `Key: ${signingKey.fingerprint}\n`,
  )
  expect(await readdir(folder())).toEqual(['package.zip', 'public.pem'])
})

test('without any key it says what that proves', async () => {
  await verify.run([at('package.zip')])
  expect(said.join('')).toContain('it only proves that nothing was changed since somebody signed it')
})

test('the key of the installation here is trusted by itself', async () => {
  await keepSecret('the secret of a service, which is long enough')
  await verify.run([at('package.zip')])
  expect(said.join('')).not.toContain('only proves')
})

test('a package of another installation needs its key', async () => {
  await keepSecret('the secret of another service')
  await expect(verify.run([at('package.zip')])).rejects.toThrow('It is signed with another key')
  await verify.run([at('package.zip'), '--key', at('public.pem')])
})

test('a file in it that was changed is named', async () => {
  const bytes = await aPackage()
  bytes[bytes.indexOf('the pictures')]! ^= 1
  await writeFile(at('package.zip'), bytes)
  await expect(verify.run([at('package.zip'), '--key', at('public.pem')])).rejects.toThrow(
    `${at('package.zip')} does not verify.\n  clips/01-gate.mp4 was changed.`,
  )
})

test('another key', async () => {
  await writeFile(at('other.pem'), createSigningKey('another').pem)
  await expect(verify.run([at('package.zip'), '--key', at('other.pem')])).rejects.toThrow(
    `${at('package.zip')} does not verify. It is signed with another key`,
  )
})

test('who signs with a key of its own cannot write the line that names the key, nor hide it', async () => {
  const own = createSigningKey('a key of somebody else')
  const hidden = `ada.\nKey: ${signingKey.fingerprint}\u001b[8m\u009b8m\u2028\u202e`
  const head = { ...packageHead, username: hidden, service: { product: `Aerie${' '.repeat(5_000)}`, version: hidden } }
  await writeFile(at('package.zip'), await aPackage(smallFiles(), own, head))
  await verify.run([at('package.zip')])
  const lines = said.join('').split('\n')
  expect(lines.filter((text) => text.startsWith('Key: '))).toEqual([`Key: ${own.fingerprint}`])
  expect(lines).toHaveLength(5)
  expect(said.join('').replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  expect(lines[1]!.length).toBeLessThan(500)
})

test('nor can the name of a file', async () => {
  const name = 'clips/\u009b2K\u202e4pm.mp4'
  await writeFile(at('package.zip'), await aPackage([{ name, bytes: Buffer.alloc(1) }]))
  const refusal = await verify.run([at('package.zip')]).catch((error: unknown) => (error as Error).message)
  expect(refusal).toContain('"clips/\ufffd2K\ufffd4pm.mp4" is no name of a file in it.')
})

test.each([
  [[], 'name one package'],
  [['a.zip', 'b.zip'], 'name one package'],
  [['/nowhere/a.zip'], 'There is no file /nowhere/a.zip.'],
  [['a.zip', '--key', '/nowhere/key.pem'], 'There is no file /nowhere/key.pem.'],
  [['a.zip', '--key', import.meta.filename], 'is not a public key of Ed25519 as PEM'],
])('%j', (args, sentence) => expect(verify.run(args)).rejects.toThrow(sentence))

test('a folder is no package', () => expect(verify.run([folder()])).rejects.toThrow('cannot be read'))
