/** The operator's commands beside the service that runs, and where there is none. */
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { migrate, schemaVersionOf, schemaVersions } from '../../src/storage/migrate.ts'
import { until } from '../support/until.ts'
import { type Installation, type RunningService } from '../support/installation.ts'
import { createInstallation } from '../support/service.ts'

const clip = new URL('../../assets/demo/people-walking.mp4', import.meta.url)

let installation: Installation
let service: RunningService
beforeAll(async () => {
  installation = createInstallation()
  service = await installation.start()
})
afterAll(() => installation.remove())

/** A folder without a service. */
function createEmpty(): Installation {
  const empty = createInstallation()
  onTestFinished(() => empty.remove())
  return empty
}

test.each([
  ['keys', 'create', 'boss', '--master'],
  ['keys', 'list'],
  ['keys', 'rotate', 'admin'],
  ['nodes', 'list'],
  ['backup', 'saved.backup'],
])('where there is no Aerie, `%s %s` says so, and makes nothing', async (...args) => {
  const [empty, unused] = [createEmpty(), createEmpty()]
  const nowhere = join(empty.dataDir, 'nowhere')
  writeFileSync(join(unused.dataDir, 'aerie.db'), '')
  await Promise.all([
    expect(empty.commandWith({ AERIE_DATA_DIR: nowhere }, ...args)).rejects.toThrow('no service data in ./nowhere: '),
    expect(unused.command(...args)).rejects.toThrow('Set AERIE_DATA_DIR to'),
  ])
  expect(readdirSync(empty.dataDir)).toEqual([])
})

test('a database of an older version is left to the service, which upgrades it at its next start', async () => {
  const installation = createEmpty()
  const database = openDatabase(`sqlite:${join(installation.dataDir, 'aerie.db')}`)
  const older = schemaVersions.at(-2)!
  await migrate(database.db, older)
  await sql`insert into account (id, username, max_sources, max_outputs, max_attached_outputs, max_processes,
    max_video_upload_size_bytes, total_storage_size_bytes, track_logger, enhancement, process_recording,
    recording_retention_days, created_at) values ('1', 'admin', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)`.execute(database.db)
  await expect(installation.command('keys', 'list')).rejects.toThrow('older version of Aerie; nothing was done')
  const { stdout } = await installation.command('doctor')
  expect(stdout).toMatch(/^note +database +.*aerie\.db is of an older version of Aerie\./m)
  expect(stdout).not.toMatch(/^ok +database/m)
  expect(await schemaVersionOf(database.db)).toBe(older)
  await database.close()
  await installation.start()
  expect((await installation.command('keys', 'list')).stdout).toContain('admin')
})

test('`help` names the commands, `version` too, and each says by -h how it is called', async () => {
  const { stdout } = await installation.command('help')
  expect(stdout).toMatch(/^ {2}aerie serve$/m)
  expect(stdout).toMatch(/^ {2}aerie version$/m)
  expect((await installation.command('keys', '-h')).stdout).toMatch(/^Usage: aerie keys create /)
})

test('keys are managed from the command line while the service runs', async () => {
  const { stdout } = await installation.command(
    'keys',
    'create',
    'pilot',
    '--minutes',
    '30',
    '--max-processes',
    '1',
    '--json',
  )
  const { key } = JSON.parse(stdout) as { key: string }
  expect(await (await service.call('GET', '/user_info', { key })).json()).toMatchObject({
    username: 'pilot',
    subscription: { remaining_minutes: 30 },
  })

  await Promise.all([
    installation.command('keys', 'grant', 'pilot', '5'),
    installation.command('keys', 'allocate', 'pilot', '10'),
    installation.command('keys', 'update', 'pilot', '--expiration-date', '2099-01-01', '--track-logger', 'false'),
  ])
  expect(await (await service.call('GET', '/user_info', { key })).json()).toMatchObject({
    is_track_logger_enabled: false,
    subscription: { remaining_minutes: 45, expiration_date: '2099-01-01' },
  })
  expect((await installation.command('keys', 'list')).stdout).toMatch(/pilot +child +45/)

  const rotated = JSON.parse((await installation.command('keys', 'rotate', 'pilot', '--json')).stdout) as {
    key: string
  }
  expect((await service.call('GET', '/login', { key })).status).toBe(403)
  expect((await service.call('GET', '/login', { key: rotated.key })).status).toBe(200)
  await installation.command('keys', 'revoke', 'pilot')
  expect((await service.call('GET', '/login', { key: rotated.key })).status).toBe(403)

  await Promise.all([
    expect(installation.command('keys', 'revoke', 'pilot')).rejects.toThrow('There is no key with the username pilot.'),
    expect(installation.command('keys', 'create', 'pilot')).rejects.toThrow('aerie keys revoke pilot --purge'),
    expect(installation.command('keys', 'create', 'Bad Name')).rejects.toThrow(/lower-case letters[\s\S]*Usage/),
    expect(installation.command('keys', 'grant', 'nobody', '5')).rejects.toThrow('no key with the username nobody'),
    expect(installation.command('keys', 'grant', 'admin', '1e300')).rejects.toThrow(/minutes: [\s\S]*Usage/),
    expect(installation.command('fly')).rejects.toThrow('there is no command fly'),
  ])
  expect((await installation.command('keys', 'revoke', 'pilot', '--purge')).stdout).toContain('the name is free')
})

test('keys become unlimited, and limited again, from the command line', async () => {
  await installation.command('keys', 'create', 'scout', '--minutes', '45')
  await expect(installation.command('keys', 'grant', 'scout', 'unlimited', '--pending')).rejects.toThrow(
    '--pending goes',
  )
  expect((await installation.command('keys', 'grant', 'scout', 'unlimited')).stdout).toBe('scout is unlimited.\n')
  expect((await installation.command('keys', 'list')).stdout).toMatch(/scout +child +unlimited/)
  await installation.command('keys', 'update', 'scout', '--unlimited', 'false')
  expect((await installation.command('keys', 'list')).stdout).toMatch(/scout +child +45/)
  const crew = await installation.command('keys', 'create', 'crew', '--minutes', 'unlimited', '--json')
  expect(JSON.parse(crew.stdout)).toMatchObject({ unlimited: true, subscription: { remaining_minutes: 52_560_000 } })
})

test('who replaces a key by command is told of its source tokens, and can end them with it', async () => {
  const { rtsp_port: port } = service.ready
  const stream = { alias: 'yard', input_url: `rtsp://127.0.0.1:${String(port)}/admin/yard`, stream_type: 'rtsp' }
  const source = await (await service.call('POST', '/stream', { body: stream })).json()
  const { source_uuid: id } = source as { source_uuid: string }
  await service.call('POST', `/source/${id}/token`, { body: { action: 'publish' } })
  const tokens = async () => (await service.call('GET', `/source/${id}/tokens`)).json()

  const kept = await installation.command('keys', 'rotate', 'admin')
  expect(kept.stdout).toMatch(/still work, .*: 1\. .*`aerie keys rotate admin --revoke-tokens`/)
  expect(await tokens()).toHaveLength(1)
  const json = await installation.command('keys', 'rotate', 'admin', '--json')
  expect(JSON.parse(json.stdout)).toMatchObject({ source_tokens: 1 })
  const ended = await installation.command('keys', 'rotate', 'admin', '--revoke-tokens')
  expect(ended.stdout).toContain('revoked with the old key: 1.')
  expect(await tokens()).toEqual([])
  expect((await installation.command('keys', 'rotate', 'admin')).stdout).not.toContain('token')
})

test('a purge deletes what a revoked key has stored, and its name can be given again', async () => {
  const body = { username: 'guest' }
  const { key } = (await (await service.call('POST', '/keys', { body })).json()) as { key: string }
  const { rtsp_port: port } = service.ready
  const input_url = `rtsp://127.0.0.1:${String(port)}/guest/yard`
  await service.call('POST', '/stream', { key, body: { alias: 'yard', input_url, stream_type: 'rtsp' } })
  const form = new FormData()
  form.append('file', new Blob([readFileSync(clip)]), 'flight.mp4')
  const headers = { api_key: key }
  expect((await fetch(`${service.url}/video`, { method: 'POST', headers, body: form })).status).toBe(201)
  expect((await service.call('POST', '/session', { key, body: { api_key: key } })).status).toBe(201)
  expect((await service.call('DELETE', '/keys/guest')).status).toBe(200)
  expect((await service.call('DELETE', '/keys/guest?purge=true')).status).toBe(200)

  const database = openDatabase(`sqlite:${join(installation.dataDir, 'aerie.db')}`)
  onTestFinished(() => database.close())
  const { db } = database
  const account = db.selectFrom('account').select(['id', 'purged_at']).where('username', '=', 'guest')
  await until(async () => (await account.executeTakeFirstOrThrow()).purged_at !== null, 10_000)
  const { id: guest } = await account.executeTakeFirstOrThrow()
  expect(await db.selectFrom('source').selectAll().where('account_id', '=', guest).execute()).toEqual([])
  expect(await db.selectFrom('session').selectAll().execute()).toEqual([])
  expect(readdirSync(join(installation.dataDir, 'videos')).filter((name) => name !== 'incoming')).toEqual([])
  expect((await service.call('POST', '/keys', { body })).status).toBe(409)
  const longAgo = Date.now() - 10 * 60_000
  await db.updateTable('account').set({ purged_at: longAgo }).where('username', '=', 'guest').execute()
  expect((await service.call('POST', '/keys', { body })).status).toBe(201)
  expect(await (await service.call('GET', '/sources?username=guest')).json()).toEqual([])
})

test('the master key in the file is the one that works, also after it was replaced', async () => {
  const before = installation.masterKey
  const { key } = JSON.parse((await installation.command('keys', 'rotate', 'admin', '--json')).stdout) as {
    key: string
  }
  expect(installation.masterKey).toBe(key)
  expect((await service.call('GET', '/login')).status).toBe(200)
  expect((await service.call('GET', '/login', { key: before })).status).toBe(403)

  const settings = join(installation.dataDir, 'config.yml')
  onTestFinished(() => rmSync(settings))
  writeFileSync(settings, 'AERIE_MASTER_KEY: my-own-master-key-1\n')
  await expect(installation.command('keys', 'rotate', 'admin')).rejects.toThrow('AERIE_MASTER_KEY')
})

test('the doctor of a folder that is not there says so, and makes nothing', async () => {
  const empty = createEmpty()
  const settings = { AERIE_DATA_DIR: join(empty.dataDir, 'nowhere') }
  const { stdout } = await empty.commandWith(settings, 'doctor')
  expect(stdout).toMatch(/^note +database +There is no service data in sqlite:.*nowhere\/aerie\.db\./m)
  expect(stdout).toMatch(/^note +keys +There are none yet/m)
  expect(readdirSync(empty.dataDir)).toEqual([])
})

test('the doctor without an argument says what is open on this installation, and what to do', async () => {
  const { url, ready } = service
  // It is the service that is looked at, whatever the settings of this shell are.
  const elsewhere = { AERIE_HTTP_PORT: '9', AERIE_HOST: '0.0.0.0', AERIE_MEDIA_AUTH: 'off' }
  const { stdout } = await installation.commandWith(elsewhere, 'doctor')
  expect(stdout).toMatch(
    new RegExp(
      `^ok +listening +The service runs on 127.0.0.1 only: HTTP ${new URL(url).port}, RTSP ${String(ready['rtsp_port'])},`,
    ),
  )
  expect(stdout).toMatch(/^ok +streams/m)
  expect(stdout).toMatch(/^note +files +.*master.key still holds a master key\.\n +Keep the key elsewhere/m)
  expect(stdout).toMatch(/^ok +keys +1 master key: admin\.$/m)

  await service.stop()
  chmodSync(installation.dataDir, 0o755)
  const open = { AERIE_MEDIA_AUTH: 'remote', AERIE_HOST: '0.0.0.0', AERIE_INFERENCE: 'openvino' }
  const failed = await installation.commandWith(open, 'doctor', '--json').catch((error: unknown) => error)
  const { code, stdout: json } = failed as { code: number; stdout: string }
  expect(code).toBe(1)
  const { findings } = JSON.parse(json) as {
    findings: { level: string; topic: string; sentence: string; advice?: string }[]
  }
  const warned = findings.filter(({ level }) => level === 'warn')
  expect(warned.map(({ topic }) => topic)).toEqual(['TLS', 'streams', 'files'])
  expect(warned.at(-1)!.advice).toBe(`chmod 700 ${installation.dataDir}`)
  const [inference] = findings.filter(({ topic }) => topic === 'inference')
  expect(inference).toMatchObject({
    level: 'note',
    sentence: expect.stringContaining('AERIE_INFERENCE=openvino does not work here, so the CPU computes') as string,
  })
})
