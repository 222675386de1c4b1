import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createInstallation, type Installation } from './service.ts'

let installation: Installation
beforeEach(() => void (installation = createInstallation()))
afterEach(() => installation.remove())

test('the first start makes a master key, shows it once, and keeps it for its owner only', async () => {
  const first = await installation.start()
  expect(first.ready).toMatchObject({ ready: true, http_port: expect.any(Number) })
  expect(first.stderr()).toContain(installation.masterKey)
  expect(statSync(join(installation.dataDir, 'master.key')).mode & 0o777).toBe(0o600)
  expect(await (await first.call('GET', '/login')).json()).toMatchObject({ valid: true, username: 'admin' })
  await first.stop()
  const second = await installation.start()
  expect(second.stderr()).not.toContain(installation.masterKey)
  expect((await second.call('GET', '/login')).status).toBe(200)
})

test('SIGTERM finishes what is under way and ends with 0', async () => {
  const service = await installation.start()
  // A request whose body is still on its way when the signal comes.
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  const body = JSON.stringify({ username: 'late' })
  socket.write(
    `POST /keys HTTP/1.1\r\nhost: x\r\napi_key: ${installation.masterKey}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
  )
  await new Promise((resolve) => setTimeout(resolve, 200))
  const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())))
  const startedAt = Date.now()
  const stopped = service.stop('SIGTERM')
  await new Promise((resolve) => setTimeout(resolve, 200))
  socket.write(body)
  expect(await answered).toContain('201 Created')
  socket.destroy()
  expect(await stopped).toBe(0)
  expect(Date.now() - startedAt).toBeLessThan(10_000)
  expect(existsSync(join(installation.dataDir, 'aerie.lock'))).toBe(false)
})

test('connections that say nothing, or stop in the middle, do not hold up a stop', async () => {
  const service = await installation.start()
  const port = Number(new URL(service.url).port)
  const sockets = [
    '',
    'POST /login HTTP/1.1\r\nHo',
    'POST /keys HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\n{"a',
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
  const writing = (async () => {
    for (let i = 0; i < 1000; i++) {
      const response = await service
        .call('POST', '/keys', { body: { username: `user-${i}`, minutes: 1 } })
        .catch(() => undefined)
      if (response?.status !== 201) return
      created.push(`user-${i}`)
    }
  })()
  while (created.length < 20) await new Promise((resolve) => setTimeout(resolve, 5))
  await service.stop('SIGKILL')
  await writing

  const again = await installation.start()
  const listed = (await (await again.call('GET', '/keys?limit=1000')).json()) as { username: string }[]
  expect(listed.map(({ username }) => username)).toEqual(expect.arrayContaining(created))
  const { subscription } = (await (await again.call('GET', '/user_info')).json()) as {
    subscription: { pending_to_allocate: number }
  }
  expect(subscription.pending_to_allocate).toBe(100_000 - listed.length)
})

test('two services never share a folder', async () => {
  await installation.start()
  await expect(installation.start()).rejects.toThrow('Another Aerie is running')
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

  await expect(installation.command('keys', 'create', 'Bad Name')).rejects.toThrow(/lower-case letters[\s\S]*Usage/)
  await expect(installation.command('keys', 'grant', 'nobody', '5')).rejects.toThrow('no key with the username nobody')
  await expect(installation.command('fly')).rejects.toThrow('there is no command fly')
})

test('a backup taken while running brings everything back', async () => {
  const service = await installation.start()
  await service.call('POST', '/keys', { body: { username: 'pilot', minutes: 7 } })
  const file = join(installation.dataDir, 'saved.backup')
  await installation.command('backup', file)
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

test('a damaged backup never costs what is there', async () => {
  const service = await installation.start()
  await service.stop()
  const file = join(installation.dataDir, 'saved.backup')
  await installation.command('backup', file)
  writeFileSync(file, readFileSync(file).subarray(0, -30))
  await expect(installation.command('restore', file, '--force')).rejects.toThrow('damaged')
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
      `${service.url.replace('http:', 'https:')}/status`,
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
