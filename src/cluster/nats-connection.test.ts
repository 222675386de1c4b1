import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type NatsConnection, nkeys } from '@nats-io/nats-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSelfSigned } from '../../test/builders/self-signed.ts'
import { type NatsServer } from '../../test/support/nats.ts'
import { createNatsRig, type NatsRig } from '../../test/support/nats-rig.ts'
import { until } from '../../test/support/until.ts'
import { systemClock } from '../core/clock.ts'
import { keepConnected, type NatsOptions } from './nats-connection.ts'

let rig: NatsRig
beforeEach(() => void (rig = createNatsRig()))
afterEach(() => rig.end())

interface Kept {
  isUp: boolean
  connection?: NatsConnection
}

function keep(url: string, options: Partial<NatsOptions> = {}): Kept {
  const kept: Kept = { isUp: false }
  const close = keepConnected(
    { url, name: 'a test', ...options },
    {
      log: rig.log,
      clock: systemClock,
      onOpen: (connection) => void (kept.connection = connection),
      onUp: () => void (kept.isUp = true),
      onDown: () => void (kept.isUp = false),
    },
  )
  rig.onEnd(close)
  return kept
}

const isUp = (kept: Kept) => until(async () => kept.isUp)

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'aerie-nats-test-'))
  rig.onEnd(() => rmSync(made, { recursive: true }))
  return made
}

describe('identity', () => {
  const users = ['authorization: { users: [ { user: aerie, password: "s3cret/pass" } ] }']

  test('a user and password of the address', async () => {
    const { port } = await rig.startServer(users)
    await isUp(keep(`nats://aerie:s3cret%2Fpass@127.0.0.1:${port}`))
  })

  test('who is refused says so once, without the secret, and is let in when it is right', async () => {
    const nats = await rig.startServer(users)
    keep(`nats://aerie:wr0ng-secret@127.0.0.1:${nats.port}`)
    await until(async () => rig.lines.length > 0)
    expect(rig.lines[0]).toMatchObject({ reason: expect.stringMatching(/authorization violation/i) })
    expect(JSON.stringify(rig.lines)).not.toContain('wr0ng-secret')
  })

  test('the seed of an nkey in a file, which may come later', async () => {
    const user = nkeys.createUser()
    const { url } = await rig.startServer([`authorization: { users: [ { nkey: ${user.getPublicKey()} } ] }`])
    const credentialsFile = join(folder(), 'nats.nk')
    const kept = keep(url, { credentialsFile })
    await until(async () => rig.lines.length > 0)
    expect(String(rig.lines[0]!['reason'])).toMatch(/nats\.nk cannot be read: ENOENT/)
    writeFileSync(credentialsFile, `${Buffer.from(user.getSeed()).toString()}\n`)
    await isUp(kept)
  })

  test('a file without credentials is named, and not quoted', async () => {
    const { url } = await rig.startServer(users)
    const credentialsFile = join(folder(), 'nats.creds')
    writeFileSync(credentialsFile, 'my-s3cret')
    keep(url, { credentialsFile })
    await until(async () => rig.lines.length > 0)
    expect(String(rig.lines[0]!['reason'])).toMatch(/nats\.creds holds no credentials/)
    expect(JSON.stringify(rig.lines)).not.toContain('my-s3cret')
  })

  test('a right that is missing is an error in the log, and the rest goes on', async () => {
    const allowed = '{ user: a, password: b, permissions: { publish: ">", subscribe: ["aerie.may", "_INBOX.>"] } }'
    const { port } = await rig.startServer([`authorization: { users: [ ${allowed} ] }`])
    const kept = keep(`nats://a:b@127.0.0.1:${port}`)
    await isUp(kept)
    kept.connection!.subscribe('aerie.may-not', { callback: () => {} })
    await until(async () => rig.lines.some(({ level }) => level === 50))
    expect(rig.lines.find(({ level }) => level === 50)).toMatchObject({ subject: 'aerie.may-not' })
    await kept.connection!.flush()
    expect(kept.isUp).toBe(true)
  })
})

describe('TLS', () => {
  async function encryptedServer(): Promise<{ nats: NatsServer; caFile: string }> {
    const place = folder()
    const { cert, key } = createSelfSigned('localhost')
    const [caFile, keyFile] = [join(place, 'cert.pem'), join(place, 'key.pem')]
    writeFileSync(caFile, cert)
    writeFileSync(keyFile, key)
    return { nats: await rig.startServer([`tls: { cert_file: "${caFile}", key_file: "${keyFile}" }`]), caFile }
  }

  test('a certificate that is trusted', async () => {
    const { nats, caFile } = await encryptedServer()
    const kept = keep(`tls://localhost:${nats.port}`, { tls: { caFile } })
    await isUp(kept)
    expect(kept.connection!.info).toMatchObject({ tls_required: true })
  })

  test('a certificate that nobody vouches for is refused', async () => {
    const { nats } = await encryptedServer()
    const kept = keep(`tls://localhost:${nats.port}`)
    await until(async () => rig.lines.length > 0)
    expect(String(rig.lines[0]!['reason'])).toMatch(/self-signed|certificate/)
    expect(kept.isUp).toBe(false)
  })

  test('tls:// is never answered by plain text', async () => {
    const { port } = await rig.startServer()
    const kept = keep(`tls://127.0.0.1:${port}`)
    await until(async () => rig.lines.length > 0)
    expect(kept.isUp).toBe(false)
  })
})
