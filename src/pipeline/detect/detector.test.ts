import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { intersectionOverUnion, type Box, type Size } from '../../core/detection.ts'
import { createDetector, type Detector } from './detector.ts'
import { letterboxOf, wholePicture, type Letterbox } from './letterbox.ts'
import { cocoModels } from './coco-models.ts'

// Real models: a small or busy machine needs its time.
vi.setConfig({ testTimeout: 60_000 })

let cacheDir: string

beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'detector-'))
})
afterAll(() => rm(cacheDir, { recursive: true }))

const picture = { width: 640, height: 480 }
const sign: Box = { x: 160, y: 80, width: 200, height: 200 }

/** A red octagon with a white rim and strokes for letters, on a pole before sky and grass. */
function colourAt(x: number, y: number): readonly number[] {
  const radius = sign.width / 2
  const dx = Math.abs(x - sign.x - radius) / radius
  const dy = Math.abs(y - sign.y - radius) / radius
  const distance = Math.max(dx, dy, (dx + dy) / Math.SQRT2)
  const isLetter = distance < 0.85 && dy < 0.28 && Math.floor(x / (radius * 0.2)) % 2 === 0
  if (distance < 1) return isLetter || distance > 0.9 ? [245, 245, 245] : [190, 20, 30]
  if (dx < 0.06 && y > sign.y) return [120, 120, 120]
  return y < 320 ? [150, 190, 230] : [90, 130, 70]
}

function paint({ scaled }: Letterbox, canvas: Size, padding: number): Uint8Array {
  const bytes = new Uint8Array(canvas.width * canvas.height * 3).fill(padding)
  for (let y = 0; y < scaled.height; y++) {
    for (let x = 0; x < scaled.width; x++) {
      const colour = colourAt(((x + 0.5) * picture.width) / scaled.width, ((y + 0.5) * picture.height) / scaled.height)
      bytes.set(colour, (y * canvas.width + x) * 3)
    }
  }
  return bytes
}

async function detectSign(detector: Detector) {
  const letterbox = letterboxOf(wholePicture(picture), detector.inputSize)
  return detector.detect(paint(letterbox, detector.inputSize, detector.padding), letterbox)
}

describe('createDetector', () => {
  test.each(cocoModels)('"$name" finds a stop sign where it was drawn', async ({ name }) => {
    const detector = await createDetector({ model: name, cacheDir, confidence: 0.5 })
    const [found, ...others] = await detectSign(detector)
    expect(others).toEqual([])
    expect(found).toMatchObject({ classId: 13, className: 'stop sign' })
    expect(found!.confidence).toBeGreaterThan(0.7)
    expect(intersectionOverUnion(found!.box, sign)).toBeGreaterThan(0.85)
    await detector.close()
  })

  test('sees the same with two threads', async () => {
    const one = await createDetector({ model: 'fast', cacheDir, confidence: 0.2 })
    const two = await createDetector({ model: 'fast', cacheDir, confidence: 0.2, threads: 2 })
    expect(await detectSign(two)).toEqual(await detectSign(one))
    await Promise.all([one.close(), two.close()])
  })

  test('reports only the wanted classes', async () => {
    const detector = await createDetector({ model: 'fast', cacheDir, confidence: 0.5, classes: ['person', 'car'] })
    expect(await detectSign(detector)).toEqual([])
    await detector.close()
  })

  test('refuses a class that the model does not know', async () => {
    const creating = createDetector({ model: 'fast', cacheDir, confidence: 0.5, classes: ['person', 'drone'] })
    await expect(creating).rejects.toThrow(/model "fast" does not know drone; it knows: person, bicycle, car/)
  })

  test('refuses a model that there is not', async () => {
    await expect(createDetector({ model: 'huge', cacheDir, confidence: 0.5 })).rejects.toThrow(/no model "huge"/)
  })

  test.each([-0.1, 30, NaN])('refuses the confidence %f', async (confidence) => {
    await expect(createDetector({ model: 'fast', cacheDir, confidence })).rejects.toThrow(/not between 0 and 1/)
  })

  test('refuses a canvas of another size', async () => {
    const detector = await createDetector({ model: 'fast', cacheDir, confidence: 0.5 })
    const letterbox = letterboxOf(wholePicture(picture), detector.inputSize)
    await expect(detector.detect(new Uint8Array(12), letterbox)).rejects.toThrow(/takes a picture of 307200 bytes/)
    await detector.close()
  })
})
