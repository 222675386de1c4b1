import { type Browser, chromium, type Page } from 'playwright-core'
import { until } from './until.ts'

/** Debian's Chromium, with nothing that calls out, a fake camera, and WebRTC on loopback. */
export function launchBrowser(...more: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update', '--allow-loopback-in-peer-connection'],
      ...['--autoplay-policy=no-user-gesture-required', '--use-fake-device-for-media-stream'],
      '--use-fake-ui-for-media-stream',
      ...more,
    ],
  })
}

/** How different two looks at the page's video, half a second apart, are: 0 for a still or black picture. */
export function movementOf(page: Page): Promise<number> {
  return page.evaluate(`(async () => {
    const video = document.querySelector('video')
    const canvas = document.createElement('canvas')
    canvas.width = 160
    canvas.height = 90
    const context = canvas.getContext('2d', { willReadFrequently: true })
    const look = () => {
      context.drawImage(video, 0, 0, canvas.width, canvas.height)
      return context.getImageData(0, 0, canvas.width, canvas.height).data
    }
    const before = look()
    await new Promise((resolve) => setTimeout(resolve, 500))
    const after = look()
    let sum = 0
    for (let i = 0; i < before.length; i++) sum += Math.abs(before[i] - after[i])
    return sum / before.length
  })()`)
}

/** A busy machine may show the same picture for half a second; not for many times that. */
export const untilMoving = (page: Page, minMovement = 1) =>
  until(async () => (await movementOf(page)) > minMovement, 10_000)
