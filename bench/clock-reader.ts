import { type Page } from 'playwright-core'
import { CLOCK } from './clock-camera.ts'

/**
 * How old the pictures are that a page's video shows: each is read as it is handed to the screen, and its burnt-in
 * clock compared with this machine's, which is the camera's too. Sorted, in ms.
 */
export async function readLatencies(page: Page, seconds: number): Promise<number[]> {
  const ages = await page.evaluate<(number | null)[]>(`(${read.toString()})(${JSON.stringify(CLOCK)}, ${seconds})`)
  const readable = ages.filter((age) => age !== null)
  // The encoder may blur a strip now and then; a clock that is mostly unreadable measures nothing.
  if (readable.length < ages.length / 2 || readable.length === 0)
    throw new Error(`Only ${readable.length} of ${ages.length} pictures had a readable clock.`)
  return readable.sort((a, b) => a - b)
}

export function quantile(sorted: readonly number[], fraction: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? NaN
}

/** As much of a page as reading needs; its types are not Node's. */
interface PageDocument {
  querySelector(name: 'video'): { requestVideoFrameCallback(next: () => void): void }
  createElement(name: 'canvas'): { width: number; height: number; getContext(kind: '2d', options: object): Context2d }
}

interface Context2d {
  drawImage(image: object, ...boxes: number[]): void
  getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray }
}

/** Runs in the page. */
function read({ blockPixels, timeBits, sumBits, width }: typeof CLOCK, seconds: number): Promise<(number | null)[]> {
  const { document } = globalThis as unknown as { document: PageDocument }
  const video = document.querySelector('video')
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })

  function ageMs(): number | null {
    context.drawImage(video, 0, blockPixels / 2, width, 1, 0, 0, width, 1)
    const { data } = context.getImageData(0, 0, width, 1)
    let bits = ''
    for (let i = 0; i < timeBits + sumBits; i++) bits += data[(i + 0.5) * blockPixels * 4]! > 128 ? '1' : '0'
    const bytes = bits.match(/.{8}/g)!.map((byte) => parseInt(byte, 2))
    const sum = bytes.pop()
    if ((bytes.reduce((a, b) => a + b) & (2 ** sumBits - 1)) !== sum) return null
    const span = 2 ** timeBits
    return ((Date.now() % span) - parseInt(bits.slice(0, timeBits), 2) + span) % span
  }

  return new Promise((resolve) => {
    const ages: (number | null)[] = []
    const endAt = Date.now() + seconds * 1000
    const next = () => {
      ages.push(ageMs())
      if (Date.now() < endAt) video.requestVideoFrameCallback(next)
      else resolve(ages)
    }
    video.requestVideoFrameCallback(next)
  })
}
