/**
 * A master that may run one process, until a day that is near, makes a child with 100,000 processes that never expires;
 * and children go on with their keys, sessions and processes after their master was revoked or has expired.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expireKey } from '../support/expire-key.ts'
import { clip, createProcessRig, type Info, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
const BEYOND = {
  max_processes: 100_000,
  max_sources: 100_000,
  enhancement: true,
  process_recording: true,
  recording_retention_days: 3650,
  track_retention_days: 3650,
  alert_retention_days: 3650,
  expiration_date: null,
}

let rig: ProcessRig
beforeAll(async () => void (rig = await createProcessRig()))
afterEach(() => rig.clear())
afterAll(() => rig.remove())

async function addMaster(username: string, ...rights: string[]): Promise<string> {
  const made = await rig.installation.command(
    ...['keys', 'create', username, '--master', '--minutes', '100', '--json', ...rights],
  )
  return (JSON.parse(made.stdout) as { key: string }).key
}

const addChild = (master: string, username: string) =>
  rig.ask<{ key: string }>('POST', '/keys', { key: master, body: { username, minutes: 10, ...BEYOND } })

async function login(key: string): Promise<unknown> {
  return (await rig.service.call('GET', '/login', { key })).json()
}

async function register(key: string, alias: string): Promise<number> {
  const body = { alias, input_url: `rtsp://camera.example/${alias}`, stream_type: 'rtsp' }
  return (await rig.service.call('POST', '/stream', { key, body })).status
}

async function signIn(body: object) {
  const answer = await fetch(`${rig.service.url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: rig.service.url },
    body: JSON.stringify(body),
  })
  return { answer: await answer.json(), cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

async function sessionOf(cookie: string): Promise<unknown> {
  const headers = { cookie, origin: rig.service.url }
  return (await fetch(`${rig.service.url}/session`, { headers })).json()
}

/** A process that does not end by itself before the test is done. */
async function runPaused(key: string): Promise<string> {
  const { process_uuid: id } = await rig.start(await rig.upload(clip, key), {}, key)
  await rig.ask('POST', `/process/${id}/pause`, { key })
  expect(rig.workers()).toHaveLength(1)
  return id
}

const untilNothingRuns = () => until(async () => rig.workers().length === 0, 20_000)

test('a child gets no more than its master has, whatever it was given', async () => {
  const rights = ['--max-processes', '1', '--enhancement', 'false', '--expiration-date', TOMORROW]
  const boss = await addMaster('small', ...rights)
  const child = await addChild(boss, 'small-child')
  const clamped = {
    max_processes: 1,
    max_sources: 50,
    enhancement: false,
    process_recording: false,
    recording_retention_days: 7,
    track_retention_days: 14,
    alert_retention_days: 30,
    expiration_date: TOMORROW,
  }
  expect(child).toMatchObject(clamped)
  const patched = await rig.ask('PATCH', '/keys/small-child', { key: boss, body: BEYOND })
  expect(patched).toMatchObject(clamped)
  expect(await login(child.key)).toMatchObject({ valid: true, expiration_date: TOMORROW })

  const sourceId = await rig.upload(clip, child.key)
  await rig.start(sourceId, {}, child.key)
  expect(await rig.tryStart(sourceId, {}, child.key)).toMatchObject({ status: 403, code: 'process-limit-reached' })
  await rig.ask('DELETE', '/processes', { key: child.key })
})

test('what a master loses its children lose, and have again with it', async () => {
  const boss = await addMaster('changing')
  const { key } = await addChild(boss, 'changing-child')
  expect(await register(key, 'one')).toBe(201)
  await rig.installation.command('keys', 'update', 'changing', '--max-sources', '1')
  expect(await register(key, 'two')).toBe(403)
  await rig.installation.command('keys', 'update', 'changing', '--max-sources', '9')
  expect(await register(key, 'two')).toBe(201)
})

test('with the last day of a master end the keys, sessions and processes of its children', async () => {
  const boss = await addMaster('expiring')
  const { key } = await addChild(boss, 'expiring-child')
  const { cookie } = await signIn({ api_key: key })
  const { code } = await rig.ask<{ code: string }>('POST', '/session/code', { key })
  const processId = await runPaused(key)

  await expireKey(rig.installation, 'expiring', '2020-02-29')
  const expired = { status: 403, code: 'api-key-expired', detail: expect.stringContaining('2020-02-29') as string }
  expect(await login(key)).toMatchObject(expired)
  expect(await sessionOf(cookie)).toMatchObject(expired)
  expect((await signIn({ code })).answer).toMatchObject(expired)
  await untilNothingRuns()

  await rig.installation.command('keys', 'update', 'expiring', '--expiration-date', 'never')
  const process = await rig.ask<Info>('GET', `/process/${processId}`, { key })
  expect(process).toMatchObject({ state: 'stopped', stop_reason: 'key-expired' })
})

test('with a revoked master go the keys, sessions and processes of its children', async () => {
  const boss = await addMaster('leaving')
  const { key } = await addChild(boss, 'leaving-child')
  const { cookie } = await signIn({ api_key: key })
  const { code } = await rig.ask<{ code: string }>('POST', '/session/code', { key })
  await runPaused(key)

  const { stdout } = await rig.installation.command('keys', 'revoke', 'leaving')
  expect(stdout).toContain('leaving-child')
  expect(await login(key)).toMatchObject({ status: 403, code: 'api-key-invalid' })
  expect(await sessionOf(cookie)).toMatchObject({ status: 403, code: 'session-ended' })
  expect((await signIn({ code })).answer).toMatchObject({ status: 403 })
  await untilNothingRuns()
})

test('a name of somebody else in the address stops neither theirs nor the caller’s processes', async () => {
  const admin = rig.installation.masterKey
  const { key: mate } = await addChild(admin, 'mate')
  const theirs = await runPaused(mate)
  const { process_uuid: own } = await rig.start(await rig.upload(clip, admin))
  await rig.ask('POST', `/process/${own}/pause`)
  for (const [method, path] of [
    ['DELETE', '/processes'],
    ['POST', '/process/stop_all'],
  ] as const)
    expect((await rig.service.call(method, `${path}?username=admin`, { key: mate })).status).toBe(403)
  expect(await rig.ask('DELETE', '/processes?username=mate')).toEqual({ stopped: [theirs] })
  expect(await rig.info(own)).toMatchObject({ state: 'paused' })
})
