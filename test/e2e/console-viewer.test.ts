/** The console of somebody who was given one camera of two: nothing of the other one anywhere, and no button that may not be used. */
import { type Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { type ConsolePage, openConsole } from '../support/console-page.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let rig: ProcessRig
let browser: Browser
let shown: ConsolePage
let guard: string
/** Of the camera that is given, and of the other. */
let gate: { sourceId: string; processId: string }
let vault: { sourceId: string; processId: string }
beforeAll(async () => {
  ;[rig, browser] = await Promise.all([createProcessRig(), launchBrowser()])
  guard = (await rig.ask<{ key: string }>('POST', '/keys', { body: { username: 'guard' } })).key
  ;[gate, vault] = await Promise.all([run('gate'), run('vault')])
})
afterAll(async () => {
  await browser.close()
  await rig.clear()
  await rig.remove()
})
afterEach(() => shown.page.close())

async function run(name: string) {
  const { sourceId } = await rig.goLive(name, { maxMs: 300_000 })
  const { process_uuid: processId } = await rig.start(sourceId)
  await rig.untilState(processId, 'running', 60_000)
  return { sourceId, processId }
}

/** Signed in as the guard, with these rights on the gate. */
async function openAsGuard(...rights: string[]): Promise<void> {
  await rig.ask('PUT', `/keys/guard/sources/${gate.sourceId}`, { body: { rights } })
  const { url } = await rig.ask<{ url: string }>('POST', '/session/code', { key: guard })
  shown = await openConsole(browser, url)
  await shown.page.getByRole('navigation').waitFor()
}

async function open(page: string): Promise<void> {
  await shown.page.getByRole('navigation').getByRole('link', { name: page, exact: true }).click()
  await shown.page.getByRole('heading', { level: 1, name: page }).waitFor()
}

const main = () => shown.page.locator('main')
const namesOf = async (role: 'button' | 'link', within = main()) =>
  (await within.getByRole(role).allInnerTexts()).map((text) => text.trim())
/** Nothing that was ever asked for on this page is about the other camera. */
async function expectNothingOfTheVault(): Promise<void> {
  expect(await shown.page.content()).not.toMatch(new RegExp(`vault|${vault.sourceId}|${vault.processId}`))
  expect(shown.problems()).toEqual([])
}

test('who may only watch sees that camera in the list and in the player, and nothing that may not be done', async () => {
  await openAsGuard('watch')
  expect(await namesOf('link', shown.page.getByRole('navigation'))).toEqual(['Live', 'Map', 'Sources', 'Contacts'])
  await open('Sources')
  const cards = shown.page.locator('ul.sources > li')
  await cards.first().waitFor()
  expect(await cards.count()).toBe(1)
  expect(await cards.first().innerText()).toMatch(/gate[^]*of admin/)
  expect([await namesOf('button', cards.first()), await namesOf('link', cards.first())]).toEqual([[], ['Watch']])
  await expectNothingOfTheVault()

  await open('Live')
  await main().getByText('You may watch').waitFor()
  expect([await namesOf('button'), await namesOf('link')]).toEqual([[], ['gate']])
  await expectNothingOfTheVault()
  await open('Map')
  await main().getByText('No camera tells where it is').waitFor()
  await expectNothingOfTheVault()

  await open('Live')
  await main().getByRole('link', { name: 'gate' }).click()
  await until(
    () => shown.page.evaluate<boolean>(`[...document.querySelectorAll('video')].some((one) => one.currentTime > 1)`),
    45_000,
  )
})

test('who may also read events sees it on the wall with its tracks, and cannot stop it', async () => {
  await openAsGuard('watch', 'events')
  await open('Live')
  const tiles = shown.page.locator('ul.wall > li')
  await tiles.first().waitFor()
  expect(await tiles.count()).toBe(1)
  await until(
    () =>
      shown.page.evaluate<boolean>(`[...document.querySelectorAll('.wall video')].some((one) => one.currentTime > 1)`),
    45_000,
  )
  expect([await namesOf('button'), await namesOf('link', tiles.first())]).toEqual([[], ['gate']])
  await expectNothingOfTheVault()

  await tiles.first().getByRole('link', { name: 'gate' }).click()
  await shown.page.getByRole('heading', { name: /^Tracks of the last minute/ }).waitFor()
  expect((await namesOf('button')).filter((name) => /stop|pause/i.test(name))).toEqual([])
  await expectNothingOfTheVault()
  await open('Map')
  await main().getByText('No camera tells where it is').waitFor()
  await expectNothingOfTheVault()
})

test('the address of the other one leads to a sentence', async () => {
  await openAsGuard('watch', 'events')
  await shown.page.evaluate(`location.hash = '#/live/${vault.processId}'`)
  await main()
    .getByText(/There is no process/)
    .waitFor()
  expect(await namesOf('button')).toEqual([])
})
