/** Markup in an alias: the map's labels took it for HTML, so that a name brought pictures, forms and links into the console. */
import { type Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clipPose } from '../../src/cli/demo/steps.ts'
import { launchBrowser } from '../support/browser.ts'
import { openConsole } from '../support/console-page.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

const ALIAS = '<b class="injected">roof</b><img class="injected" src="/injected" onerror="injected = true">'
let rig: ProcessRig
let browser: Browser
beforeAll(async () => {
  rig = await createProcessRig({
    AERIE_MAP_TILES_URL: 'http://127.0.0.1:9/{z}/{x}/{y}.png',
    AERIE_MAP_TILES_ATTRIBUTION: ALIAS,
  })
  browser = await launchBrowser()
  const { source_uuid: sourceId } = await rig.ask<{ source_uuid: string }>('POST', '/stream', {
    body: {
      alias: ALIAS,
      input_url: `rtsp://127.0.0.1:${rig.rtsp}/admin/roof`,
      stream_type: 'rtsp',
      telemetry_cfg: { type: 'static', format: 'native', parameters: clipPose },
    },
  })
  rig.publish('roof')
  const status = async () => (await rig.ask<{ status: string }>('GET', `/source/${sourceId}`)).status
  await until(async () => (await status()) === 'streaming', 30_000)
  await rig.start(sourceId)
})
afterAll(async () => {
  await browser?.close()
  await rig?.remove()
})

test('a name is text on every page of the console, the map’s labels included', async () => {
  const { url } = await rig.ask<{ url: string }>('POST', '/session/code')
  const { page } = await openConsole(browser, url)
  await page.waitForSelector('h1:has-text("Live")')
  for (const [link, label] of [
    ['#/map', '.leaflet-tooltip'],
    ['#/map', '.leaflet-control-attribution'],
    ['#/sources', '.card h2'],
    ['#/live', '.caption'],
  ] as const) {
    await page.click(`nav a[href="${link}"]`)
    await page.locator(label, { hasText: ALIAS }).first().waitFor({ timeout: 30_000 })
    expect(await page.locator('.injected').count(), `${link} ${label}`).toBe(0)
  }
  await page.close()
})
