import { expect, test } from 'vitest'
import {
  aPackage,
  each,
  inPieces,
  packageHead,
  signingKey,
  smallFiles,
} from '../../../test/builders/evidence-package.ts'
import { CLOSING } from './manifest.ts'
import { writeSignedPackage } from './signed-package.ts'
import { createSigningKey, readPublicKey } from './signing-key.ts'
import { verifyPackage } from './verify-package.ts'
import { bytesSource, InvalidPackage, readMember, readZip } from './zip-reader.ts'
import { writeZip, type ZipMember } from './zip-writer.ts'

const trusted = readPublicKey(signingKey.pem)!

/** Undefined where it is as it was signed. */
async function problemOf(bytes: Buffer, key: typeof trusted | undefined = trusted): Promise<string | undefined> {
  try {
    return (await verifyPackage(bytesSource(bytes), key)).problems[0]
  } catch (error) {
    if (!(error instanceof InvalidPackage)) throw error
    return error.message
  }
}

/** The members of a package as they are, to be packed anew. */
async function membersOf(bytes: Buffer): Promise<{ name: string; bytes: Buffer }[]> {
  const source = bytesSource(bytes)
  const members: { name: string; bytes: Buffer }[] = []
  for (const entry of await readZip(source)) {
    const pieces: Buffer[] = []
    for await (const piece of readMember(source, entry)) pieces.push(piece)
    members.push({ name: entry.name, bytes: Buffer.concat(pieces) })
  }
  return members
}

async function packed(members: Iterable<ZipMember>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of writeZip(each(members))) pieces.push(piece)
  return Buffer.concat(pieces)
}

test('a package as it was signed verifies, with its key or with the one inside', async () => {
  const bytes = await aPackage()
  for (const key of [trusted, undefined]) {
    const verified = await verifyPackage(bytesSource(bytes), key)
    expect(verified).toMatchObject({ problems: [], bytes: 49, key: { fingerprint: signingKey.fingerprint } })
    expect(verified.manifest).toMatchObject({ ...packageHead, key_fingerprint: signingKey.fingerprint })
    expect(verified.manifest.files[1]).toEqual({
      path: 'clips/01-gate.mp4',
      size: 22,
      sha256: 'f0ce09ff24f1cff6b02b2e755e3523e90563e0075a52e9adc81cb6eba231d4a9',
    })
  }
})

test.each([0x20, 0xff])('every single byte that is changed by %i is found', { timeout: 120_000 }, async (change) => {
  const bytes = await aPackage()
  for (let at = 0; at < bytes.length; at++) {
    bytes[at]! ^= change
    expect(await problemOf(bytes), `byte ${at} of ${bytes.length}`).toBeTypeOf('string')
    bytes[at]! ^= change
  }
  expect(await problemOf(bytes)).toBeUndefined()
})

test('a byte more or less anywhere is found', { timeout: 120_000 }, async () => {
  const bytes = await aPackage()
  for (let at = 0; at <= bytes.length; at++) {
    const more = Buffer.concat([bytes.subarray(0, at), Buffer.from([bytes[at] ?? 0]), bytes.subarray(at)])
    expect(await problemOf(more), `one more at ${at}`).toBeTypeOf('string')
    if (at === bytes.length) break
    const less = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])
    expect(await problemOf(less), `one less at ${at}`).toBeTypeOf('string')
  }
})

test('every beginning of it is refused', async () => {
  const bytes = await aPackage()
  for (let length = 0; length < bytes.length; length++)
    expect(await problemOf(bytes.subarray(0, length))).toBeTypeOf('string')
})

test('what was changed is named', async () => {
  const bytes = await aPackage()
  bytes[bytes.indexOf('the pictures')]! ^= 1
  const { problems } = await verifyPackage(bytesSource(bytes), trusted)
  expect(problems).toEqual(['clips/01-gate.mp4 was changed.'])
})

/** Packed anew as a zip in which everything is right but what was done. */
const repacked: readonly [string, (members: { name: string; bytes: Buffer }[]) => ZipMember[], string][] = [
  [
    'two files swapped',
    ([first, second, ...rest]) => [second!, first!, ...rest],
    'Where README.txt should be there is clips/01-gate.mp4: it was renamed, moved or left out.',
  ],
  [
    'the contents of two files swapped',
    ([first, second, ...rest]) => [
      { name: first!.name, bytes: second!.bytes },
      { name: second!.name, bytes: first!.bytes },
      ...rest,
    ],
    'README.txt was changed: it has 22 bytes instead of 14.',
  ],
  [
    'a file of the same length in the place of one',
    (members) => members.map(({ name, bytes }, index) => ({ name, bytes: index === 1 ? Buffer.alloc(22) : bytes })),
    'clips/01-gate.mp4 was changed.',
  ],
  ['a file left out', (members) => members.filter((_, index) => index !== 3), 'reports/p/Tür-夜.txt is missing.'],
  [
    'a file put in',
    (members) => members.toSpliced(4, 0, { name: 'more.txt', bytes: Buffer.from('more') }),
    'more.txt is not in manifest.json: it was put in.',
  ],
  [
    'a file put in behind the rest',
    (members) => [...members, { name: 'more.txt', bytes: Buffer.from('more') }],
    `It does not end with ${CLOSING.join(', ')}: it is no package of evidence.`,
  ],
  [
    'a name that leads out of the folder',
    ([first, ...rest]) => [{ ...first!, name: '../README.txt' }, ...rest],
    'It is not a package of ours: "../README.txt" is no name of a file in it.',
  ],
  [
    'another spelling of the signature',
    (members) =>
      members.map((one) => (one.name === 'manifest.sig' ? { ...one, bytes: one.bytes.subarray(0, -1) } : one)),
    'The signature is not right: manifest.json or manifest.sig was changed.',
  ],
  [
    'another spelling of the key',
    (members) =>
      members.map((one) =>
        one.name === 'public-key.pem' ? { ...one, bytes: Buffer.concat([one.bytes, Buffer.from('\n')]) } : one,
      ),
    'public-key.pem was changed: it is no key.',
  ],
]
test.each(repacked)('%s', async (_, change, sentence) => {
  expect(await problemOf(await packed(change(await membersOf(await aPackage()))))).toBe(sentence)
})

test('a package that somebody else has signed is refused by the trusted key, and verifies by its own', async () => {
  const other = createSigningKey('the secret of another service')
  const bytes = await aPackage(smallFiles(), other)
  expect(await problemOf(bytes)).toBe(
    `It is signed with another key than the one that it is checked with: ${other.fingerprint}, not ${signingKey.fingerprint}.`,
  )
  const { problems, key } = await verifyPackage(bytesSource(bytes))
  expect([problems, key.fingerprint]).toEqual([[], other.fingerprint])
})

test('the key of another in a package of ours is found', async () => {
  const { pem } = createSigningKey('the secret of another service')
  const members = await membersOf(await aPackage())
  const changed = members.map((one) => (one.name === 'public-key.pem' ? { ...one, bytes: Buffer.from(pem) } : one))
  expect(await problemOf(await packed(changed))).toBe('public-key.pem was changed: it is another key.')
})

test('a clip that is another than when it was cut breaks the package off', async () => {
  const files = [{ name: 'clips/1.mp4', pieces: inPieces(Buffer.from('changed')), size: 7, sha256: 'a'.repeat(64) }]
  await expect(aPackage(files)).rejects.toThrow('clips/1.mp4 is not what it was when it was made')
})

test('no file takes a name of the manifest’s', async () => {
  const files = each([{ name: 'manifest.json', bytes: Buffer.from('{}') }])
  const pieces = writeSignedPackage(files, packageHead, signingKey)
  await expect(pieces.next()).rejects.toThrow('manifest.json is no name for a file of a package')
})

test('a file of another form is no package', async () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('PK'), Buffer.alloc(5_000, 'PK\x05\x06')])
    expect(await problemOf(bytes)).toMatch(/^(It is not a package|Its )/)
})
