import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { migrate, schemaVersionOf, schemaVersions } from '../../src/storage/migrate.ts'
import { until } from '../support/until.ts'
import { createInstallation, type Installation } from '../support/service.ts'

const clip = new URL('../../assets/demo/people-walking.mp4', import.meta.url)

let installation: Installation
beforeEach(() => void (installation = createInstallation()))
afterEach(() => installation.remove())

test('the first start makes a master key and keeps it for its owner only', async () => {
  const first = await installation.start()
  expect(first.ready).toMatchObject({ ready: true, http_port: expect.any(Number) })
  expect(statSync(join(installation.dataDir, 'master.key')).mode & 0o777).toBe(0o600)
  expect(await (await first.call('GET', '/login')).json()).toMatchObject({ valid: true, username: 'admin' })
  await first.stop()
  const second = await installation.start()
  expect(second.stderr()).not.toContain('master.key')
  expect((await second.call('GET', '/login')).status).toBe(200)
})

test('a first start that fails when the key is made leaves it to the next to show, once', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as { port: number }
  await expect(installation.start({ AERIE_HTTP_PORT: String(port) })).rejects.toThrow('another program uses it')
  const key = installation.masterKey

  const second = await installation.start()
  expect(second.stderr()).toContain(`Your master key is in ${join(installation.dataDir, 'master.key')}.`)
  expect((await second.call('GET', '/login', { key })).status).toBe(200)
  await second.stop()
  const third = await installation.start()
  expect(third.stderr()).not.toContain('master key')
  expect(readdirSync(installation.dataDir)).not.toContain('master.key.new')
})

test('a service without a console says so in its log, and leads to the API page', async () => {
  const root = join(import.meta.dirname, '../..')
  const copy = mkdtempSync(join(tmpdir(), 'aerie-copy-'))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  for (const name of ['bin', 'dist', 'package.json']) cpSync(join(root, name), join(copy, name), { recursive: true })
  for (const name of ['assets', 'models', 'node_modules', 'player']) symlinkSync(join(root, name), join(copy, name))
  const bare = createInstallation(join(copy, 'bin/aerie.js'))
  onTestFinished(() => bare.remove())
  const service = await bare.start()
  expect(service.stderr()).toMatch(/The web console is not built[^"]*`npm run build`/)
  const page = await fetch(service.url, { redirect: 'manual' })
  expect([page.status, page.headers.get('location')]).toEqual([302, '/docs'])
})

test('SIGTERM finishes what is under way, refuses what comes then, and ends with 0', async () => {
  const service = await installation.start()
  const port = Number(new URL(service.url).port)
  // A request whose body is still on its way when the signal comes.
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (data) => void (received += data.toString()))
  const body = JSON.stringify({ username: 'late' })
  socket.write(
    `POST /keys HTTP/1.1\r\nhost: localhost\r\napi_key: ${installation.masterKey}\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n`,
  )
  while (!received.includes('100 Continue')) await once(socket, 'data')
  const startedAt = Date.now()
  const stopped = service.stop('SIGTERM')
  let next: Response
  do next = await service.call('GET', '/status')
  while (next.ok)
  expect(await next.json()).toMatchObject({ status: 503, code: 'shutting-down' })
  socket.write(body)
  await once(socket, 'close')
  expect(received).toContain('201 Created')
  expect(await stopped).toBe(0)
  expect(Date.now() - startedAt).toBeLessThan(10_000)
})

test('Ctrl-C under npm, which comes twice, is one orderly stop', async () => {
  const service = await installation.start()
  const stopped = service.stop('SIGINT')
  // Seen by the first log line, so that the system cannot join the two signals.
  await until(async () => service.stderr().includes('stopping'), 5_000)
  service.process.kill('SIGINT')
  expect(await stopped).toBe(0)
  expect(service.stderr().match(/"msg":"stopp(ing|ed)"/g)).toEqual(['"msg":"stopping"', '"msg":"stopped"'])
  expect(existsSync(join(installation.dataDir, 'running.json'))).toBe(false)
})

test('connections that say nothing, or stop in the middle, do not hold up a stop', async () => {
  const service = await installation.start()
  const port = Number(new URL(service.url).port)
  const sockets = [
    '',
    'POST /login HTTP/1.1\r\nHo',
    'POST /keys HTTP/1.1\r\nhost: localhost\r\ncontent-length: 50\r\n\r\n{"a',
  ].map((text) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(text)
    return socket
  })
  // The third is answered (no key) though its body never comes: then all three have been taken.
  await new Promise((resolve) => sockets[2]!.once('data', resolve))
  const startedAt = Date.now()
  expect(await service.stop('SIGTERM')).toBe(0)
  expect(Date.now() - startedAt).toBeLessThan(5_000)
  for (const socket of sockets) socket.destroy()
})

test('what was answered survives kill -9', async () => {
  const service = await installation.start()
  const created: string[] = []
  for (let i = 0; i < 1000; i++) {
    const creation = service.call('POST', '/keys', { body: { username: `user-${i}`, minutes: 1 } })
    // From the twentieth on the service is killed while it answers.
    if (created.length === 20) void service.stop('SIGKILL')
    const response = await creation.catch(() => undefined)
    if (!response) break
    expect(response.status).toBe(201)
    created.push(`user-${i}`)
  }
  expect(created.length).toBeGreaterThanOrEqual(20)

  const again = await installation.start()
  const listed = (await (await again.call('GET', '/keys?limit=1000')).json()) as { username: string }[]
  expect(listed.map(({ username }) => username)).toEqual(expect.arrayContaining(created))
})

test('`help` names the commands, `version` too, and each says by -h how it is called', async () => {
  const { stdout } = await installation.command('help')
  expect(stdout).toMatch(/^ {2}aerie serve$/m)
  expect(stdout).toMatch(/^ {2}aerie version$/m)
  expect((await installation.command('keys', '-h')).stdout).toMatch(/^Usage: aerie keys create /)
})

test.each([
  ['keys', 'create', 'boss', '--master'],
  ['keys', 'list'],
  ['keys', 'rotate', 'admin'],
  ['backup', 'saved.backup'],
])('where there is no Aerie, `%s %s` says so, and makes nothing', async (...args) => {
  const nowhere = join(installation.dataDir, 'nowhere')
  await expect(installation.commandWith({ AERIE_DATA_DIR: nowhere }, ...args)).rejects.toThrow(
    'no service data in ./nowhere: ',
  )
  expect(readdirSync(installation.dataDir)).toEqual([])
  writeFileSync(join(installation.dataDir, 'aerie.db'), '')
  await expect(installation.command(...args)).rejects.toThrow('Set AERIE_DATA_DIR to')
})

test('a database of an older version is left to the service, which upgrades it at its next start', async () => {
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

test('two services never share a folder; after kill -9 the next one has it at once', async () => {
  const service = await installation.start()
  await expect(installation.start()).rejects.toThrow('Another Aerie is running')
  await service.stop('SIGKILL')
  await installation.start()
})

test('a start that cannot listen ends by itself', async () => {
  const service = await installation.start()
  const other = createInstallation()
  await expect(other.start({ AERIE_HTTP_PORT: new URL(service.url).port })).rejects.toThrow(
    'another program uses it. Set AERIE_HTTP_PORT',
  )
  await other.remove()
})

test('what the service makes is for its owner only', async () => {
  chmodSync(installation.dataDir, 0o755)
  await installation.start()
  for (const name of readdirSync(installation.dataDir))
    expect(statSync(join(installation.dataDir, name)).mode & 0o077, name).toBe(0)
})

test('wrong settings stop the start, all in one message', async () => {
  await expect(installation.start({ AERIE_LOG_LEVEL: 'loud', AERIE_HTTP_PORT: '-1' })).rejects.toThrow(
    /AERIE_HTTP_PORT[\s\S]*AERIE_LOG_LEVEL/,
  )
})

test('keys are managed from the command line while the service runs', async () => {
  const service = await installation.start()
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

  await installation.command('keys', 'grant', 'pilot', '5')
  await installation.command('keys', 'allocate', 'pilot', '10')
  await installation.command('keys', 'update', 'pilot', '--expiration-date', '2099-01-01', '--track-logger', 'false')
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

  await expect(installation.command('keys', 'revoke', 'pilot')).rejects.toThrow(
    'There is no key with the username pilot.',
  )
  await expect(installation.command('keys', 'create', 'pilot')).rejects.toThrow('aerie keys revoke pilot --purge')
  expect((await installation.command('keys', 'revoke', 'pilot', '--purge')).stdout).toContain('the name is free')

  await expect(installation.command('keys', 'create', 'Bad Name')).rejects.toThrow(/lower-case letters[\s\S]*Usage/)
  await expect(installation.command('keys', 'grant', 'nobody', '5')).rejects.toThrow('no key with the username nobody')
  await expect(installation.command('keys', 'grant', 'admin', '1e300')).rejects.toThrow(/minutes: [\s\S]*Usage/)
  await expect(installation.command('fly')).rejects.toThrow('there is no command fly')
})

test('keys become unlimited, and limited again, from the command line', async () => {
  await installation.start()
  await installation.command('keys', 'create', 'pilot', '--minutes', '45')
  await expect(installation.command('keys', 'grant', 'pilot', 'unlimited', '--pending')).rejects.toThrow(
    '--pending goes',
  )
  expect((await installation.command('keys', 'grant', 'pilot', 'unlimited')).stdout).toBe('pilot is unlimited.\n')
  expect((await installation.command('keys', 'list')).stdout).toMatch(/pilot +child +unlimited/)
  await installation.command('keys', 'update', 'pilot', '--unlimited', 'false')
  expect((await installation.command('keys', 'list')).stdout).toMatch(/pilot +child +45/)
  const crew = await installation.command('keys', 'create', 'crew', '--minutes', 'unlimited', '--json')
  expect(JSON.parse(crew.stdout)).toMatchObject({ unlimited: true, subscription: { remaining_minutes: 52_560_000 } })
})

test('who replaces a key by command is told of its source tokens, and can end them with it', async () => {
  const service = await installation.start()
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
  const service = await installation.start()
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
  const guest = db.selectFrom('account').select('purged_at').where('username', '=', 'guest')
  await until(async () => (await guest.executeTakeFirstOrThrow()).purged_at !== null, 10_000)
  expect(await db.selectFrom('source').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('session').selectAll().execute()).toEqual([])
  expect(readdirSync(join(installation.dataDir, 'videos')).filter((name) => name !== 'incoming')).toEqual([])
  expect((await service.call('POST', '/keys', { body })).status).toBe(409)
  const longAgo = Date.now() - 10 * 60_000
  await db.updateTable('account').set({ purged_at: longAgo }).where('username', '=', 'guest').execute()
  expect((await service.call('POST', '/keys', { body })).status).toBe(201)
  expect(await (await service.call('GET', '/sources?username=guest')).json()).toEqual([])
})

test('the master key in the file is the one that works, also after it was replaced', async () => {
  const service = await installation.start()
  const before = installation.masterKey
  const { key } = JSON.parse((await installation.command('keys', 'rotate', 'admin', '--json')).stdout) as {
    key: string
  }
  expect(installation.masterKey).toBe(key)
  expect((await service.call('GET', '/login')).status).toBe(200)
  expect((await service.call('GET', '/login', { key: before })).status).toBe(403)

  writeFileSync(join(installation.dataDir, 'config.yml'), 'AERIE_MASTER_KEY: my-own-master-key-1\n')
  await expect(installation.command('keys', 'rotate', 'admin')).rejects.toThrow('AERIE_MASTER_KEY')
})

test('a restore replaces a database that cannot be read, and no settings that are in use', async () => {
  const settings = join(installation.dataDir, 'config.yml')
  writeFileSync(settings, 'AERIE_LOG_LEVEL: info\n')
  const service = await installation.start()
  await service.stop()
  const { stdout } = await installation.command('backup', 'saved.backup')
  expect(stdout).toMatch(/and the settings in .*config\.yml to .*saved\.backup\. .* environment are not in it\.$/m)
  writeFileSync(settings, 'AERIE_LOG_LEVEL: warn\n')
  writeFileSync(
    join(installation.dataDir, 'aerie.db'),
    'not a database at all, but long enough to be looked at'.repeat(100),
  )
  await expect(installation.command('restore', 'saved.backup')).rejects.toThrow('--force')
  await installation.command('restore', 'saved.backup', '--force')
  expect(readFileSync(settings, 'utf8')).toContain('warn')
  expect(readFileSync(join(installation.dataDir, 'config.restored.yml'), 'utf8')).toContain('info')
  expect((await (await installation.start()).call('GET', '/login')).status).toBe(200)
})

test('a backup taken while running brings everything back', async () => {
  const service = await installation.start()
  await service.call('POST', '/keys', { body: { username: 'pilot', minutes: 7 } })
  const file = join(installation.dataDir, 'saved.backup')
  expect((await installation.command('backup', file)).stdout).toMatch(/^Saved \d+ rows to /)
  await service.call('DELETE', '/keys/pilot')
  await expect(installation.command('restore', file)).rejects.toThrow('Another Aerie is running')
  await service.stop()
  await expect(installation.command('restore', file)).rejects.toThrow('--force')
  await installation.command('restore', file, '--force')

  const again = await installation.start()
  expect(await (await again.call('GET', '/keys')).json()).toMatchObject([
    { username: 'pilot', subscription: { remaining_minutes: 7 } },
  ])
})

test('a master key that cannot be laid in its place is kept beside it, and the command says where', async () => {
  const key = join(installation.dataDir, 'master.key')
  const service = await installation.start()
  await service.stop()
  await installation.command('backup', 'saved.backup')
  const saved = readFileSync(key, 'utf8')
  rmSync(key)
  mkdirSync(key)
  const restored = installation.command('restore', 'saved.backup', '--force')
  await expect(restored).rejects.toThrow(/database is restored, but .*master\.key\.restoring could not be moved/)
  expect(readFileSync(`${key}.restoring`, 'utf8')).toBe(saved)
})

test('a damaged backup never costs what is there', async () => {
  const service = await installation.start()
  await service.stop()
  const file = join(installation.dataDir, 'saved.backup')
  await installation.command('backup', file)
  writeFileSync(file, readFileSync(file).subarray(0, -30))
  await expect(installation.command('restore', file, '--force')).rejects.toThrow('damaged')
  const elsewhere = { AERIE_DATA_DIR: join(installation.dataDir, 'new', 'data') }
  await expect(installation.commandWith(elsewhere, 'restore', file)).rejects.toThrow('damaged')
  expect(existsSync(join(installation.dataDir, 'new'))).toBe(false)
  const again = await installation.start()
  expect((await again.call('GET', '/login')).status).toBe(200)
})

test('with a certificate the service speaks TLS', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-tls-'))
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-keyout',
      key,
      '-out',
      cert,
    ],
    { stdio: 'ignore' },
  )
  const service = await installation.start({ AERIE_TLS_CERT: cert, AERIE_TLS_KEY: key })
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const asked = request(
      `${service.url}/status`,
      { ca: readFileSync(cert), servername: 'localhost', checkServerIdentity: () => undefined },
      (response) => {
        response.resume()
        resolve(response.statusCode)
      },
    )
    asked.on('error', reject).end()
  })
  expect(status).toBe(200)
  rmSync(folder, { recursive: true })
})

test('a client that sends nonsense instead of HTTP is answered and let go', async () => {
  const service = await installation.start()
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  socket.write('HELLO\r\n\r\n')
  const answer = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())))
  expect(answer).toContain('400 Bad Request')
  await new Promise((resolve) => socket.once('close', resolve))
  expect((await service.call('GET', '/status')).status).toBe(200)
})

test('the doctor of a folder that is not there says so, and makes nothing', async () => {
  const settings = { AERIE_DATA_DIR: join(installation.dataDir, 'nowhere') }
  const { stdout } = await installation.commandWith(settings, 'doctor')
  expect(stdout).toMatch(/^note +database +There is no service data in sqlite:.*nowhere\/aerie\.db\./m)
  expect(stdout).toMatch(/^note +keys +There are none yet/m)
  expect(readdirSync(installation.dataDir)).toEqual([])
})

test('the doctor without an argument says what is open on this installation, and what to do', async () => {
  const service = await installation.start()
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
  const open = { AERIE_MEDIA_AUTH: 'remote', AERIE_HOST: '0.0.0.0' }
  const failed = await installation.commandWith(open, 'doctor', '--json').catch((error: unknown) => error)
  const { code, stdout: json } = failed as { code: number; stdout: string }
  expect(code).toBe(1)
  const { findings } = JSON.parse(json) as { findings: { level: string; topic: string; advice?: string }[] }
  const warned = findings.filter(({ level }) => level === 'warn')
  expect(warned.map(({ topic }) => topic)).toEqual(['TLS', 'streams', 'files'])
  expect(warned.at(-1)!.advice).toBe(`chmod 700 ${installation.dataDir}`)
})
