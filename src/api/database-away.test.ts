import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test/support/app.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { startTcpRelay, type TcpRelay } from '../../test/support/tcp-relay.ts'

let database: TestDatabase
let relay: TcpRelay
let app: TestApp
beforeAll(async () => {
  database = await createTestDatabase('postgres')
  const url = new URL(database.url)
  relay = await startTcpRelay(Number(url.port))
  url.port = String(relay.port)
  app = await createTestApp({ AERIE_DATABASE_URL: url.href })
})
afterAll(async () => {
  await app.remove()
  await relay.close()
  await database.remove()
})

const patiently = { timeout: 20_000 }
const linesAbout = (text: string) => app.logLines.filter((line) => line.includes(text))

test('while the database is away that is what is answered, and one line of the log says it', async () => {
  expect((await app.call('GET', '/sources')).status).toBe(200)
  await relay.cut()
  for (let i = 0; i < 30; i++) {
    const { status, body, headers } = await app.call('GET', '/sources')
    expect(body).toMatchObject({ code: 'database-away', detail: expect.stringContaining('try again') as string })
    expect([status, headers['retry-after']]).toEqual([503, '5'])
  }
  await relay.mend()
  await expect.poll(async () => (await app.call('GET', '/sources')).status, patiently).toBe(200)
  await expect
    .poll(async () => {
      await app.call('GET', '/sources')
      return linesAbout('the database is back').length
    }, patiently)
    .toBe(1)
  expect(linesAbout('the database is away')).toHaveLength(1)
  expect(linesAbout('request failed')).toEqual([])
  expect(linesAbout('stack')).toEqual([])
})
