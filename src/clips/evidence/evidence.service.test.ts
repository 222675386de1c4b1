import { createReadStream, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  ada,
  anEvidenceClip,
  clipId,
  createEvidenceClips,
  createEvidenceRig,
  SOURCE,
} from '../../../test/builders/evidence.ts'
import { signingKey } from '../../../test/builders/evidence-package.ts'
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { type Account } from '../../core/account.ts'
import { AppError } from '../../core/errors.ts'
import { type EvidenceClips } from './evidence-sources.ts'
import { verifyPackage } from './verify-package.ts'
import { bytesSource, readMember, readZip } from './zip-reader.ts'

const folder = useTemporaryFolder('aerie-evidence-')
const stays = new AbortController().signal
const all = { clipIds: [clipId(1), clipId(2)], withReports: true, alias: undefined }

async function collect(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const taken: Buffer[] = []
  for await (const piece of pieces) taken.push(piece)
  return Buffer.concat(taken)
}

async function contentsOf(bytes: Buffer): Promise<Map<string, string>> {
  const contents = new Map<string, string>()
  for (const entry of await readZip(bytesSource(bytes)))
    contents.set(entry.name, String(await collect(readMember(bytesSource(bytes), entry))))
  return contents
}

test('a package has the clips, what was seen in their time, how it was set, and a signed list', async () => {
  const clips = createEvidenceClips(anEvidenceClip(1), anEvidenceClip(2, { sourceAlias: null }, 2))
  const { fileName, pieces } = await createEvidenceRig(clips).open(ada, { ...all, alias: 'Fall 12/3' }, stays)
  expect(fileName).toBe('evidence-Fall-12-3-20261117T080000Z.zip')
  const bytes = await collect(pieces)
  const { manifest, problems } = await verifyPackage(bytesSource(bytes), signingKey)
  expect(problems).toEqual([])
  expect(manifest).toMatchObject({ alias: 'Fall 12/3', username: 'ada', created_at: '2026-11-17T08:00:00.000Z' })
  expect(manifest.clips).toEqual([
    { clip_uuid: clipId(1), paths: ['clips/01-Tor-Süd-20261116T030012Z.mp4'] },
    {
      clip_uuid: clipId(2),
      paths: ['clips/02-night-20261116T030012Z-1.mp4', 'clips/02-night-20261116T030012Z-2.mp4'],
    },
  ])
  const contents = await contentsOf(bytes)
  expect([...contents.keys()]).toEqual([
    'README.txt',
    'clips/01-Tor-Süd-20261116T030012Z.mp4',
    'clips/01-Tor-Süd-20261116T030012Z.json',
    'clips/02-night-20261116T030012Z-1.mp4',
    'clips/02-night-20261116T030012Z-2.mp4',
    'clips/02-night-20261116T030012Z.json',
    ...['01', '02'].flatMap((number) =>
      ['tracks.json', 'tracks.geojson', 'tracks.kml', 'pictures/7.jpg'].map((name) => `reports/${number}/p1/${name}`),
    ),
    'settings.json',
    'versions.json',
    'manifest.json',
    'manifest.sig',
    'public-key.pem',
  ])
  expect(contents.get('clips/02-night-20261116T030012Z-2.mp4')).toBe(`pictures of part 2 of ${clipId(2)}`)
  expect(contents.get('reports/01/p1/tracks.kml')).toBe(`kml of p1 from ${Date.parse('2026-11-16T03:00:12.500Z')}`)
  expect(contents.get('README.txt')).toContain(signingKey.fingerprint)
  expect(JSON.parse(contents.get('settings.json')!)).toMatchObject({
    sources: [{ source_uuid: SOURCE }],
    processes: [{ process_uuid: 'p1', model: 'small' }],
    alerts: [{ source_uuid: SOURCE, alerts: [{ alias: 'fence' }] }],
  })
})

test('without reports nothing is asked that needs another right', async () => {
  const rights = { ownerFor: () => Promise.reject<Account>(new AppError('right-missing', { right: 'events' })) }
  const rig = createEvidenceRig(createEvidenceClips(anEvidenceClip(1)), { rights })
  const request = { ...all, clipIds: [clipId(1)] }
  await expect(rig.open(ada, request, stays)).rejects.toMatchObject({ code: 'right-missing' })
  const contents = await contentsOf(
    await collect((await rig.open(ada, { ...request, withReports: false }, stays)).pieces),
  )
  expect([...contents.keys()].filter((name) => name.startsWith('reports/'))).toEqual([])
  expect(JSON.parse(contents.get('settings.json')!)).toMatchObject({ sources: [], processes: [], alerts: [] })
})

test('a clip that is asked for twice is packed once', async () => {
  const rig = createEvidenceRig(createEvidenceClips(anEvidenceClip(1)))
  const { pieces } = await rig.open(ada, { ...all, clipIds: [clipId(1), clipId(1)] }, stays)
  const { manifest } = await verifyPackage(bytesSource(await collect(pieces)))
  expect(manifest.clips).toHaveLength(1)
})

test.each(['waiting', 'working', 'failed'])('a clip that is %s is refused before anything is sent', async (state) => {
  const rig = createEvidenceRig(createEvidenceClips(anEvidenceClip(1), anEvidenceClip(2, { state })))
  await expect(rig.open(ada, all, stays)).rejects.toMatchObject({
    code: 'clip-not-ready',
    message: `The clip ${clipId(2)} is ${state}; wait until it is ready.`,
  })
})

test('one of another is not found', async () => {
  const rig = createEvidenceRig(createEvidenceClips(anEvidenceClip(1), anEvidenceClip(2, { accountId: 'eve' })))
  await expect(rig.open(ada, all, stays)).rejects.toMatchObject({ code: 'clip-not-found' })
})

test('a clip that is deleted at any moment meanwhile breaks it off', async () => {
  const whole = await collect(
    (await createEvidenceRig(createEvidenceClips(anEvidenceClip(1), anEvidenceClip(2))).open(ada, all, stays)).pieces,
  )
  const count = (await readZip(bytesSource(whole))).length
  for (const id of all.clipIds) {
    const clips = createEvidenceClips(anEvidenceClip(1), anEvidenceClip(2))
    const { pieces } = await createEvidenceRig(clips).open(ada, all, stays)
    const taking = (async () => {
      let taken = 0
      for await (const _ of pieces) if (++taken === 3) clips.remove(id)
      return taken
    })()
    await expect(taking, `of ${count} files`).rejects.toMatchObject({ code: 'clip-not-found' })
  }
})

test('a clip that is not what it was when it was cut breaks it off', async () => {
  const clip = anEvidenceClip(1)
  const changed = { ...clip, parts: clip.parts.map((part) => ({ ...part, sha256: 'f'.repeat(64) })) }
  const { pieces } = await createEvidenceRig(createEvidenceClips(changed)).open(
    ada,
    { ...all, clipIds: [clip.id] },
    stays,
  )
  await expect(collect(pieces)).rejects.toThrow('is not what it was when it was made')
})

test.each([
  { name: 'before the first byte of a clip', count: 3 },
  { name: 'in the middle', count: 4 },
])('who leaves $name leaves no file open', async ({ count }) => {
  const clips = createEvidenceClips(anEvidenceClip(1), anEvidenceClip(2))
  const { pieces } = await createEvidenceRig(clips).open(ada, all, stays)
  let taken = 0
  for await (const _ of pieces) if (++taken === count) break
  expect(clips.opened.length).toBeGreaterThan(2)
  for (const file of clips.opened) expect(file.destroyed).toBe(true)
})

test('a key has two under way at once; each makes room when it ends, breaks off, is refused, or is left', async () => {
  const clips = createEvidenceClips(anEvidenceClip(1), anEvidenceClip(2))
  const rig = createEvidenceRig(clips)
  const [gone, request] = [new AbortController(), { ...all, withReports: false }]
  const open = (signal = stays, account = ada) => rig.open(account, request, signal)
  const isFull = () => expect(open()).rejects.toMatchObject({ code: 'evidence-limit-reached' })
  const [taken] = [await open(), await open(gone.signal)]
  await isFull()
  // What another key asks for is looked at.
  await expect(open(stays, { ...ada, id: 'eve' })).rejects.toMatchObject({ code: 'clip-not-found' })
  gone.abort()
  const broken = await open()
  await isFull()
  await collect(taken.pieces)
  clips.remove(clipId(2))
  await expect(collect(broken.pieces)).rejects.toMatchObject({ code: 'clip-not-found' })
  for (let i = 0; i < 3; i++) await expect(open()).rejects.toMatchObject({ code: 'clip-not-found' })
})

const MB = 2 ** 20
const large = { sizeBytes: 256 * MB, sha256: 'a6d72ac7690f53be6ae46ba88506bd97302a093f7108472bd9efc3cefda06484' }

test('large clips pass through little memory, as fast as they are taken', { timeout: 300_000 }, async () => {
  // Of zeros, which take no room on the disk.
  const file = join(folder(), 'clip.mp4')
  writeFileSync(file, '')
  truncateSync(file, large.sizeBytes)
  const clips: EvidenceClips = {
    ...createEvidenceClips(anEvidenceClip(1, { parts: [large] })),
    open: async () => createReadStream(file),
  }
  const { pieces } = await createEvidenceRig(clips).open(ada, { ...all, clipIds: [clipId(1)] }, stays)
  const before = process.memoryUsage().rss
  let [size, maxMoreBytes, looks] = [0, 0, 0]
  for await (const piece of pieces) {
    size += piece.length
    if (++looks % 100 === 0) maxMoreBytes = Math.max(maxMoreBytes, process.memoryUsage().rss - before)
  }
  expect(size).toBeGreaterThan(large.sizeBytes)
  expect(maxMoreBytes).toBeLessThan(50 * MB)
})

test('who loses the right while a package is made gets no report any more, and no package', async () => {
  let hasRight = true
  const ownerFor = async (caller: Account) => {
    if (!hasRight) throw new AppError('right-missing', { right: 'events' })
    return caller
  }
  const clips = createEvidenceClips(anEvidenceClip(1), anEvidenceClip(2))
  const { pieces } = await createEvidenceRig(clips, { rights: { ownerFor } }).open(ada, all, stays)
  const taken: Buffer[] = []
  const taking = (async () => {
    for await (const piece of pieces) {
      taken.push(piece)
      hasRight = false
    }
  })()
  await expect(taking).rejects.toMatchObject({ code: 'right-missing' })
  expect(Buffer.concat(taken).includes('reports/01')).toBe(false)
})
