import { execFile } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { until } from '../support/until.ts'
import { type Installation } from '../support/installation.ts'
import { createInstallation } from '../support/service.ts'

const BUILD_FILES = ['package.json', 'tsconfig.json']

let installation: Installation
beforeEach(() => void (installation = createInstallation()))
afterEach(() => installation.remove())

test('the first start makes a master key, and whatever it makes is for its owner only', async () => {
  chmodSync(installation.dataDir, 0o755)
  const first = await installation.start()
  expect(first.ready).toMatchObject({ ready: true, http_port: expect.any(Number) })
  expect(statSync(join(installation.dataDir, 'master.key')).mode & 0o777).toBe(0o600)
  for (const name of readdirSync(installation.dataDir))
    expect(statSync(join(installation.dataDir, name)).mode & 0o077, name).toBe(0)
  expect(await (await first.call('GET', '/login')).json()).toMatchObject({ valid: true, username: 'admin' })
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  expect(await (await first.call('GET', '/status')).json()).toMatchObject({
    version: 'v2.15.2',
    service_version: version,
  })
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

test('a service without a console says so in its log, and leads to the API page until `npm run build` has made one', async () => {
  const root = join(import.meta.dirname, '../..')
  const copy = mkdtempSync(join(tmpdir(), 'aerie-copy-'))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  const isWanted = (file: string) => file !== join(root, 'console/dist')
  for (const name of ['bin', 'clients', 'console', 'dist', 'player', 'src', ...BUILD_FILES])
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: isWanted })
  for (const name of ['assets', 'models', 'node_modules']) symlinkSync(join(root, name), join(copy, name))
  const bare = createInstallation(join(copy, 'bin/aerie.js'))
  onTestFinished(() => bare.remove())
  const service = await bare.start()
  expect(service.stderr()).toMatch(/The web console is not built[^"]*`npm run build`/)
  const page = await fetch(service.url, { redirect: 'manual' })
  expect([page.status, page.headers.get('location')]).toEqual([302, '/docs'])

  // The service itself is compiled: of the two halves of `npm run build` it is the second that is missing.
  const { scripts } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')) as { scripts: { build: string } }
  const [, buildConsole] = scripts.build.split(' && ')
  await promisify(execFile)('npx', buildConsole!.split(' '), { cwd: copy })
  expect(await (await fetch(service.url)).text()).toContain('<title>Aerie')
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

test('who sends nonsense instead of HTTP is answered and let go; who says nothing, or stops in the middle, does not hold up a stop', async () => {
  const service = await installation.start()
  const port = Number(new URL(service.url).port)
  const wild = connect(port, '127.0.0.1')
  wild.write('HELLO\r\n\r\n')
  const [answer] = (await once(wild, 'data')) as [Buffer]
  expect(answer.toString()).toContain('400 Bad Request')
  await once(wild, 'close')
  expect((await service.call('GET', '/status')).status).toBe(200)

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

test('beside one that runs no other starts in its folder or on its port; after kill -9 the next one has the folder at once', async () => {
  const service = await installation.start()
  const other = createInstallation()
  onTestFinished(() => other.remove())
  await Promise.all([
    expect(installation.start()).rejects.toThrow('Another Aerie is running'),
    expect(other.start({ AERIE_HTTP_PORT: new URL(service.url).port })).rejects.toThrow(
      'another program uses it. Set AERIE_HTTP_PORT',
    ),
  ])
  await service.stop('SIGKILL')
  await installation.start()
})

test('wrong settings stop the start, all in one message', async () => {
  await expect(installation.start({ AERIE_LOG_LEVEL: 'loud', AERIE_HTTP_PORT: '-1' })).rejects.toThrow(
    /AERIE_HTTP_PORT[\s\S]*AERIE_LOG_LEVEL/,
  )
})
