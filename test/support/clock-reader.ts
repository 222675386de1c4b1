import { type Page } from 'playwright-core'
import { CLOCK } from './clock-camera.ts'

const BLOCKS = CLOCK.timeBits + CLOCK.sumBits
const SPAN_MS = 2 ** CLOCK.timeBits

/**
 * How old the pictures are that a page's video shows: each is read as it is handed to the screen, and its burnt-in
 * clock compared with this machine's, which is the camera's too. Sorted, in ms.
 */
export async function readLatencies(page: Page, seconds: number): Promise<number[]> {
  const looks = await page.evaluate<Look[]>(`(${lookFor.toString()})(${readRow.toString()}, ${BLOCKS}, ${seconds})`)
  const ages = looks.map(({ row, atMs }) => {
    const takenAtMs = readStrip(row, atMs)
    return takenAtMs === undefined ? undefined : atMs - takenAtMs
  })
  const readable = ages.filter((age) => age !== undefined)
  // The encoder may blur a strip now and then; a clock that is mostly unreadable measures nothing.
  if (readable.length < ages.length / 2 || readable.length === 0)
    throw new Error(`Only ${readable.length} of ${ages.length} pictures had a readable clock.`)
  return readable.sort((a, b) => a - b)
}

/** When the picture that a page's video shows was taken, by its burnt-in clock, within some days of `nearMs`. */
export async function readPageClock(page: Page, nearMs: number, video = 'video'): Promise<number | undefined> {
  return readStrip(await page.evaluate<number[]>(`(${readRow.toString()})(${BLOCKS}, '${video}')`), nearMs)
}

/** The same of a picture's bytes in grey, as ffmpeg gives them. */
export function readPictureClock(grey: Buffer, width: number, nearMs: number): number | undefined {
  const blockPixels = width / BLOCKS
  const row = Math.floor(blockPixels / 2) * width
  const blocks = Array.from({ length: BLOCKS }, (_, index) => grey[row + Math.floor((index + 0.5) * blockPixels)]!)
  return readStrip(blocks, nearMs)
}

/** Undefined where the blocks do not add up. */
function readStrip(brightness: readonly number[], nearMs: number): number | undefined {
  const bits = brightness.map((value) => (value > 128 ? '1' : '0')).join('')
  const bytes = bits.match(/.{8}/g)!.map((byte) => parseInt(byte, 2))
  const sum = bytes.pop()
  if ((bytes.reduce((a, b) => a + b) & (2 ** CLOCK.sumBits - 1)) !== sum) return undefined
  const lower = parseInt(bits.slice(0, CLOCK.timeBits), 2)
  return lower + Math.round((nearMs - lower) / SPAN_MS) * SPAN_MS
}

export function quantile(sorted: readonly number[], fraction: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? NaN
}

interface Look {
  readonly row: number[]
  readonly atMs: number
}

/** As much of a page as reading needs; its types are not Node's. */
interface PageDocument {
  querySelector(name: string): PageVideo
  createElement(name: 'canvas'): { width: number; height: number; getContext(kind: '2d', options: object): Context2d }
}

interface PageVideo {
  readonly videoWidth: number
  requestVideoFrameCallback(next: () => void): void
}

interface Context2d {
  drawImage(image: object, ...boxes: number[]): void
  getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray }
}

/** Runs in the page: how bright the middles of the blocks are. */
function readRow(blocks: number, selector: string): number[] {
  const { document } = globalThis as unknown as { document: PageDocument }
  const video = document.querySelector(selector)
  const width = video.videoWidth
  const blockPixels = width / blocks
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })
  context.drawImage(video, 0, Math.floor(blockPixels / 2), width, 1, 0, 0, width, 1)
  const { data } = context.getImageData(0, 0, width, 1)
  return Array.from({ length: blocks }, (_, index) => data[Math.floor((index + 0.5) * blockPixels) * 4]!)
}

/** Runs there too. */
function lookFor(readBlocks: typeof readRow, blocks: number, seconds: number): Promise<Look[]> {
  const { document } = globalThis as unknown as { document: PageDocument }
  const video = document.querySelector('video')
  return new Promise((resolve) => {
    const looks: Look[] = []
    const endAt = Date.now() + seconds * 1000
    const next = () => {
      looks.push({ row: readBlocks(blocks, 'video'), atMs: Date.now() })
      if (Date.now() < endAt) video.requestVideoFrameCallback(next)
      else resolve(looks)
    }
    video.requestVideoFrameCallback(next)
  })
}
