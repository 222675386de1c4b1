/** Pieces of recordings have addresses that carry no key: what somebody makes up, borrows or keeps of them leads to nothing. */
import { request as requestRaw } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedService, createChild, startAttacked } from '../support/attacked-service.ts'
import { start as startTool } from '../support/ffmpeg.ts'
import { until } from '../support/until.ts'

const CLIP = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=10', '-pix_fmt', 'yuv420p']
const ENCODER = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '20', '-f', 'rtsp', '-rtsp_transport', 'tcp']

let service: AttackedService
/** Of bob, of another camera of bob's, and of mallory: what their playlists name. */
let cam: Piece[]
let other: Piece[]
let own: Piece[]

interface Recording {
  readonly ended_at: string | null
  readonly segments: readonly { readonly duration_seconds: number | null }[]
}

interface Piece {
  /** `<uuid>-init.mp4`, or `<uuid>-<from byte>-<to byte>-<base>.m4s` */
  readonly name: string
  readonly token: string
}

beforeAll(async () => {
  service = await startAttacked({ AERIE_MEDIA_AUTH: 'always', AERIE_RECORDING_SEGMENT_SECONDS: '4' })
  await Promise.all([record('bob', 'cam'), record('bob', 'other'), record('mallory', 'cam')])
  cam = await piecesFor('bob/cam', { api_key: service.bob })
  other = await piecesFor('bob/other', { api_key: service.bob })
  own = await piecesFor('mallory/cam', { api_key: service.mallory })
}, 240_000)
afterAll(() => service.installation.remove())

const keyOf = (username: string) => (username === 'bob' ? service.bob : service.mallory)

/** Registers a source and sends some seconds of video to it; answers its id. */
async function record(username: string, name: string, key = keyOf(username)): Promise<string> {
  const path = `${username}/${name}`
  const body = { alias: name, input_url: service.rtspUrl(path), stream_type: 'rtsp' }
  const { source_uuid: id } = await answerOf<{ source_uuid: string }>('POST', '/stream', key, body)
  const address = service.rtspUrl(path).replace('//', `//${username}:${key}@`)
  const publisher = startTool('ffmpeg', [...CLIP, ...ENCODER, address], 120_000)
  const recordings = () => answerOf<Recording[]>('GET', `/sources/recordings?source_uuid=${id}`, key)
  const isWhole = ({ duration_seconds: seconds }: Recording['segments'][number]) => seconds !== null
  // A recorder has to start first, and a busy machine takes its time.
  await until(async () => (await recordings()).some(({ segments }) => segments.filter(isWhole).length > 1), 100_000)
  await publisher.kill()
  await until(async () => (await recordings()).every(({ ended_at: endedAt }) => endedAt !== null), 60_000)
  return id
}

async function answerOf<T>(method: string, path: string, key: string, body?: unknown): Promise<T> {
  const response = await service.call(method, path, { key, body })
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return (await response.json()) as T
}

const playlist = (path: string, credentials: Record<string, string>) =>
  fetch(`${service.url}/hls/${path}/vod.m3u8?${new URLSearchParams(credentials).toString()}`)

async function piecesFor(path: string, credentials: Record<string, string>): Promise<Piece[]> {
  const text = await (await playlist(path, credentials)).text()
  const pieces = [...text.matchAll(/recorded\/([^?\n"]+)\?token=([^\n"]+)/g)].map(([, name, token]) => ({
    name: name!,
    token: token!,
  }))
  expect(pieces.length, text).toBeGreaterThan(1)
  return pieces
}

const open = (name: string, token: string) =>
  fetch(`${service.url}/recorded/${name}?${new URLSearchParams({ token }).toString()}`)

async function refusalOf(name: string, token: string): Promise<string> {
  const response = await open(name, token)
  return `${response.status} ${((await response.json()) as { code: string }).code}`
}

test('whoever may watch gets what the playlist names, and no key is in it', async () => {
  for (const { name, token } of [...cam, ...other]) expect((await open(name, token)).status, name).toBe(200)
  const text = await (await playlist('bob/cam', { api_key: service.bob })).text()
  expect(text).not.toContain(service.bob)
})

test('tokens that are made up are none', async () => {
  const { name, token } = cam[1]!
  const [viewer, source, signed] = token.split('~') as [string, string, string]
  const [expires, signature] = signed.split('.') as [string, string]
  const first = signature.startsWith('A') ? 'B' : 'A'
  const [mallory, othersSource] = own[0]!.token.split('~') as [string, string]
  for (const forged of [
    '',
    'x',
    `${viewer}~${source}~`,
    `${viewer}~${source}~${expires}.${first}${signature.slice(1)}`,
    `${mallory}~${source}~${signed}`,
    `anonymous~${source}~${signed}`,
    `${viewer}~${othersSource}~${signed}`,
    `${viewer}~${source}~${expires}0.${signature}`,
    `${token}~${token}`,
    'a'.repeat(299),
  ])
    expect(await refusalOf(name, forged), forged).toBe('403 viewing-expired')
  expect((await open(name, 'a'.repeat(301))).status).toBe(422)
})

test('a token of one camera opens nothing of another, of the same owner or not', async () => {
  expect(await refusalOf(other[1]!.name, cam[1]!.token)).toBe('404 recording-not-found')
  expect(await refusalOf(cam[1]!.name, own[1]!.token)).toBe('404 recording-not-found')
  expect(await refusalOf(cam[0]!.name, own[0]!.token)).toBe('404 recording-not-found')
  // As nothing is said of what is not there at all.
  const nothing = cam[1]!.name.replace(/^[0-9a-f]{8}/, '00000000')
  expect(await refusalOf(nothing, cam[1]!.token)).toBe('404 recording-not-found')
})

test('a stranger gets no playlist, and does not learn whether there is anything', async () => {
  const { key } = await answerOf<{ key: string }>('POST', '/keys', service.installation.masterKey, {
    username: 'stranger',
  })
  const statuses = async (path: string) =>
    Promise.all(
      [{}, { api_key: 'wrong' }, { token: 'tk_wrong' }, { api_key: key }].map(
        async (credentials) => (await playlist(path, credentials as Record<string, string>)).status,
      ),
    )
  expect(await statuses('bob/cam')).toEqual(await statuses('bob/nothing'))
  expect((await statuses('bob/cam')).every((status) => status === 403 || status === 404)).toBe(true)
})

test('bytes that no playlist names give no more than the file has, and nothing of its neighbours', async () => {
  const { name, token } = cam[1]!
  const [, file, from, to, base] = /^([0-9a-f-]{36})-(\d+)-(\d+)-(-?\d+)\.m4s$/.exec(name)!
  const ask = (fromByte: number | string, toByte: number | string, baseMs: number | string = base!) =>
    open(`${file}-${fromByte}-${toByte}-${baseMs}.m4s`, token)
  const whole = Buffer.from(await (await ask(from!, to!)).arrayBuffer())
  const further = Buffer.from(await (await ask(from!, 10 ** 12)).arrayBuffer())
  expect(further.length).toBeGreaterThanOrEqual(whole.length)
  expect(further.length).toBeLessThan(2 ** 24)

  expect((await ask(10 ** 12, 10 ** 12 + 1)).status).toBe(416)
  // In the middle of a box.
  expect((await ask(Number(from) + 1, to!)).status).toBe(404)
  const asStream = await open(`${file}-${Number(from) + 1}-${to}-${base}.ts`, token)
  expect([asStream.status, await asStream.json()]).toMatchObject([404, { code: 'recording-not-found' }])
  for (const [fromByte, toByte, baseMs] of [
    [to!, from!, base!],
    [from!, from!, base!],
    [-1, to!, base!],
    [from!, `${to!}.5`, base!],
    [from!, '9'.repeat(16), base!],
    [from!, to!, 10 ** 9],
    [from!, to!, `--${base!}`],
  ] as const)
    expect((await ask(fromByte, toByte, baseMs)).status, `${fromByte} ${toByte} ${baseMs}`).toBe(422)
})

test('names lead nowhere else', async () => {
  const { token, name } = cam[1]!
  const uuid = name.slice(0, 36)
  for (const path of [
    '..%2f..%2fmaster.key',
    `..%2f${uuid}-init.mp4`,
    `${uuid}%2f..%2f..%2fmaster.key`,
    `${uuid}-init.mp4%00`,
    `${uuid}-init.mp4%2f..`,
    `${uuid.toUpperCase()}-init.mp4`,
    `${'.'.repeat(36)}-init.mp4`,
    '%2e%2e/status',
    '../recorded/../status.mp4',
  ])
    expect([404, 422], path).toContain(await rawStatus(`/recorded/${path}?token=${token}`))
})

/** Without a client that tidies the path up. */
function rawStatus(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    requestRaw(service.url, { path }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
}

/** Three seconds of what is remembered, and a little for the way. */
const ENDS_WITHIN_MS = 5_000

test('a key that is replaced ends what plays by it, and not what plays by the tokens that stay; revoked it ends both', async () => {
  const username = 'eve'
  const key = await createChild(service, username)
  const id = await record(username, 'cam', key)
  const path = `${username}/cam`
  const { token } = await answerOf<{ token: string }>('POST', `/source/${id}/token`, key, { action: 'read' })
  const [byKey] = await piecesFor(path, { api_key: key })
  const [byToken] = await piecesFor(path, { token })
  for (const piece of [byKey!, byToken!]) expect((await open(piece.name, piece.token)).status).toBe(200)

  const isOver = async ({ name, token: given }: Piece) => (await open(name, given)).status === 403
  const { key: next } = await answerOf<{ key: string }>(
    'POST',
    `/keys/${username}/rotate`,
    service.installation.masterKey,
  )
  await until(() => isOver(byKey!), ENDS_WITHIN_MS)
  const [byNext] = await piecesFor(path, { api_key: next })
  for (const piece of [byNext!, byToken!]) expect((await open(piece.name, piece.token)).status).toBe(200)

  await answerOf('DELETE', `/keys/${username}`, service.installation.masterKey)
  await until(async () => (await isOver(byNext!)) && (await isOver(byToken!)), ENDS_WITHIN_MS)
})

test('a token that is revoked ends what plays by it', async () => {
  const sources = await answerOf<{ source_uuid: string; alias: string }[]>('GET', '/sources', service.bob)
  const { source_uuid: id } = sources.find(({ alias }) => alias === 'cam')!
  const issued = await answerOf<{ token: string; token_uuid: string }>('POST', `/source/${id}/token`, service.bob, {
    action: 'read',
  })
  const [piece] = await piecesFor('bob/cam', { token: issued.token })
  expect((await open(piece!.name, piece!.token)).status).toBe(200)
  await answerOf('DELETE', `/source/${id}/token/${issued.token_uuid}`, service.bob)
  await until(async () => (await open(piece!.name, piece!.token)).status === 403, ENDS_WITHIN_MS)
  expect((await open(cam[0]!.name, cam[0]!.token)).status).toBe(200)
})

test('a token that may only publish plays nothing', async () => {
  const sources = await answerOf<{ source_uuid: string; alias: string }[]>('GET', '/sources', service.bob)
  const { source_uuid: id } = sources.find(({ alias }) => alias === 'cam')!
  const issued = await answerOf<{ token: string }>('POST', `/source/${id}/token`, service.bob, { action: 'publish' })
  expect((await playlist('bob/cam', { token: issued.token })).status).toBe(403)
})
