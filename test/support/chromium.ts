import { type Browser, chromium } from 'playwright-core'

/** Debian's Chromium without a window; plays by itself, and calls nobody. */
export function startChromium(...more: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      '--autoplay-policy=no-user-gesture-required',
      ...more,
    ],
  })
}
