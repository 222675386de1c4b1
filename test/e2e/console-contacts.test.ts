/** The page Contacts in a real browser: adding, testing, and what the service worker shows of what is pushed. */
import { createECDH, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ece from 'http_ece'
import { type Browser, type BrowserContext, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSelfSigned } from '../builders/self-signed.ts'
import { type BodyReceiver, createBodyReceiver } from '../support/body-receiver.ts'
import { startChromium } from '../support/chromium.ts'
import { seriousViolations } from '../support/console-page.ts'
import { type Installation, type RunningService } from '../support/installation.ts'
import { createInstallation } from '../support/service.ts'
import { until } from '../support/until.ts'

const tls = createSelfSigned()
const folder = mkdtempSync(join(tmpdir(), 'aerie-contacts-'))
let installation: Installation
let service: RunningService
/** In the place of the service of the browser's maker, and of ntfy. */
let pushService: BodyReceiver
let ntfy: BodyReceiver
let browser: Browser
let context: BrowserContext
let page: Page
let errors: string[]

beforeAll(async () => {
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, tls.cert)
  installation = createInstallation()
  ;[service, pushService, ntfy, browser] = await Promise.all([
    installation.start({ NODE_EXTRA_CA_CERTS: ca }),
    createBodyReceiver(tls),
    createBodyReceiver(),
    startChromium(),
  ])
})
afterAll(async () => {
  await browser.close()
  await Promise.all([pushService.close(), ntfy.close(), installation.remove()])
  rmSync(folder, { recursive: true })
})

beforeEach(async () => {
  context = await browser.newContext({ permissions: ['notifications'] })
  page = await context.newPage()
  errors = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('dialog', (dialog) => void dialog.accept())
  const { url } = (await (await service.call('POST', '/session/code')).json()) as { url: string }
  await page.goto(url)
  await page.click('nav >> text=Contacts')
})
afterEach(async () => {
  await context.close()
  expect(errors).toEqual([])
})

const card = (name: string) => page.locator('li.card', { hasText: name })
const press = (name: string, button: string) => card(name).getByRole('button', { name: button }).click()

test('a contact is added, tested, says why it does not arrive, and is removed', async () => {
  await page.fill('[name=alias]', 'night guard')
  await page.selectOption('[name=type]', 'ntfy')
  await page.fill('[name=topic]', 'yard')
  await page.fill('[name=server]', ntfy.url)
  await page.fill('[name=token]', 'tk_secret')
  await page.fill('[name=quiet_from]', '22:00')
  await page.fill('[name=quiet_to]', '07:00')
  await page.getByRole('button', { name: 'Save' }).click()
  await card('night guard').waitFor()
  expect(await card('night guard').textContent()).toMatch(/ntfy, topic yard.*quiet from 22:00 to 07:00/)
  expect(await seriousViolations(page)).toEqual([])

  await press('night guard', 'Test')
  await card('night guard').getByText('A test was sent.').waitFor()
  expect(ntfy.calls.at(-1)!.headers.authorization).toBe('Bearer tk_secret')
  ntfy.answerBy((_call, response) => void response.writeHead(401).end())
  await press('night guard', 'Test')
  await card('night guard').getByText('refuses the login (401)').waitFor()
  expect(await page.content()).not.toContain('tk_secret')

  await press('night guard', 'Remove')
  await card('night guard').waitFor({ state: 'detached' })
})

test('the console can be installed', async () => {
  const href = await page.getAttribute('link[rel=manifest]', 'href')
  const manifest = await page.evaluate<{ icons: { src: string }[] }>(`fetch('${href!}').then((one) => one.json())`)
  expect(manifest).toMatchObject({ name: 'Aerie', display: 'standalone' })
  for (const { src } of manifest.icons)
    expect(await page.evaluate(`fetch('${src}').then((one) => one.headers.get('content-type'))`)).toBe('image/png')
})

test('a browser that is added shows what is pushed to it', async () => {
  const keys = createECDH('prime256v1')
  const auth = randomBytes(16)
  const subscription = {
    endpoint: `${pushService.url}/push/1`,
    keys: { p256dh: keys.generateKeys().toString('base64url'), auth: auth.toString('base64url') },
  }
  // What the browser does next is call the service of its maker, which is not there.
  await page.evaluate(`
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      globalThis.givenKey = [...applicationServerKey]
      return { toJSON: () => (${JSON.stringify(subscription)}) }
    }
  `)
  await page.fill('[name=alias]', 'my phone')
  await page.getByRole('button', { name: 'Save' }).click()
  await press('my phone', 'Add this browser')
  await card('my phone').getByText('This browser is added.').waitFor()
  expect(await page.evaluate<number[]>('givenKey')).toHaveLength(65)

  await press('my phone', 'Test')
  await card('my phone').getByText('A test was sent.').waitFor()
  const { body } = pushService.calls.at(-1)!
  const text = ece.decrypt(body, { version: 'aes128gcm', privateKey: keys, authSecret: auth }).toString()
  const session = await context.newCDPSession(page)
  const registrations: { registrationId: string; scopeURL: string }[] = []
  session.on('ServiceWorker.workerRegistrationUpdated', (event) => registrations.push(...event.registrations))
  await session.send('ServiceWorker.enable')
  await until(async () => registrations.length > 0)
  const { registrationId, scopeURL } = registrations[0]!
  expect(scopeURL).toBe(`${service.url}/`)
  await session.send('ServiceWorker.deliverPushMessage', { origin: service.url, registrationId, data: text })
  const shown = () =>
    page.evaluate<{ title: string; body: string }[]>(`(async () => {
      const registration = await navigator.serviceWorker.ready
      return (await registration.getNotifications()).map(({ title, body }) => ({ title, body }))
    })()`)
  await until(async () => (await shown()).length > 0)
  expect(await shown()).toEqual([
    { title: 'Test · my phone', body: expect.stringContaining('a test of the contact') as string },
  ])
})
