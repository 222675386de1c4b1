/** /metrics was open to everybody who reached the port, and showed of every process and route how much they have to do. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { until } from '../support/until.ts'

const TOKEN = 'the-token-of-prometheus-0123456789'
let service: AttackedService
const scrape = (headers: Record<string, string> = {}, query = '') =>
  fetch(`${service.url}/metrics${query}`, { headers })

describe('with the defaults', () => {
  beforeAll(async () => void (service = await startAttacked()))
  afterAll(() => service?.installation.remove())

  test('nobody reads them but the first master: they name what belongs to others', async () => {
    expect(await (await scrape()).json()).toMatchObject({ status: 403, code: 'metrics-token-required' })
    expect(await (await scrape({ api_key: service.mallory })).json()).toMatchObject({ code: 'metrics-token-required' })
    const made = await service.installation.command('keys', 'create', 'trudy', '--master', '--json')
    const { key: otherMaster } = JSON.parse(made.stdout) as { key: string }
    expect(await (await scrape({ api_key: otherMaster })).json()).toMatchObject({ code: 'metrics-token-required' })
    expect((await scrape({ authorization: 'Bearer undefined' })).status).toBe(403)
    expect((await scrape({ authorization: 'Bearer ' })).status).toBe(403)
    const answer = await scrape({ authorization: `Bearer ${service.installation.masterKey}` })
    expect(await answer.text()).toContain('aerie_http_requests_total')
  })

  test('guessing is slowed down as for every key', async () => {
    let guesses = 0
    const guess = async () => (await scrape({ authorization: `Bearer guess-${guesses++}` })).status
    // Many at once: a try comes back every three seconds.
    await until(async () => (await Promise.all(Array.from({ length: 10 }, guess))).includes(429), 30_000)
  })
})

describe('with a token of their own', () => {
  beforeAll(async () => void (service = await startAttacked({ AERIE_METRICS_TOKEN: TOKEN })))
  afterAll(() => service?.installation.remove())

  test('the token reads them, and nothing else', async () => {
    const bearer = { authorization: `Bearer ${TOKEN}` }
    expect((await scrape(bearer)).status).toBe(200)
    for (const wrong of [TOKEN.slice(0, -1), `${TOKEN}0`, TOKEN.toUpperCase()])
      expect(await (await scrape({ authorization: `Bearer ${wrong}` })).json(), wrong).toMatchObject({
        status: 403,
        code: 'metrics-token-required',
      })
    expect((await scrape({}, `?token=${TOKEN}`)).status).toBe(403)
    for (const path of ['/login', '/keys', '/sources'])
      expect((await fetch(service.url + path, { headers: bearer })).status, path).toBe(403)
    expect(service.stderr()).not.toContain(TOKEN)
  })
})

describe('where the operator opens them', () => {
  beforeAll(async () => void (service = await startAttacked({ AERIE_METRICS_AUTH: 'off' })))
  afterAll(() => service?.installation.remove())

  test('anybody reads them, and the service has said so', async () => {
    expect((await scrape()).status).toBe(200)
    expect(service.stderr()).toMatch(/"level":40.*AERIE_METRICS_AUTH=off/)
  })
})
