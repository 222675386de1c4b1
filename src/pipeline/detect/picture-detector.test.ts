import { type Frame } from 'node-av'
import { expect, test } from 'vitest'
import { type Detection } from '../../core/detection.ts'
import { type RgbScaler } from './canvas.ts'
import { createPictureDetector } from './picture-detector.ts'
import { tileRegions } from './tiles.ts'

const whole = { columns: 1, rows: 1 }
const pictureOf = (mark: number) => ({ mark, width: 400, height: 200 }) as unknown as Frame

/** Puts the picture's number on the canvas. */
const scaler: RgbScaler = {
  toRgb: (frame, { x, y }, { bytes }) => bytes.set([(frame as unknown as { mark: number }).mark, x / 10, y / 10]),
}

/** A model that the test lets answer, and finds one thing in the region's corner, named after the picture. */
function createModel() {
  const log: string[] = []
  const waiting: { resolve(): void; reject(error: Error): void }[] = []
  let isBusy = false
  return {
    log,
    inputSize: { width: 20, height: 20 },
    padding: 0,
    fit: 'letterbox' as const,
    async detect(canvas: Uint8Array, { region }: { region: { x: number; y: number } }): Promise<Detection[]> {
      expect(isBusy).toBe(false)
      isBusy = true
      const seen = canvas.slice(0, 3).join()
      log.push(seen)
      try {
        await new Promise<void>((resolve, reject) => waiting.push({ resolve, reject }))
      } finally {
        isBusy = false
      }
      expect(canvas.slice(0, 3).join()).toBe(seen)
      const box = { x: region.x + 50, y: region.y + 30, width: 10, height: 10 }
      return [{ box, confidence: 0.5, classId: canvas[0]!, className: `thing ${canvas[0]}` }]
    },
    async settle(how: 'resolve' | 'reject' = 'resolve') {
      await turns()
      waiting.shift()![how](new Error('The model failed.'))
      await turns()
    },
  }
}

/** Lets everything happen that waits for nothing else. */
const turns = () => new Promise((resolve) => setImmediate(resolve))

test('the next picture is drawn while the model looks at the last, and its turn comes at once', async () => {
  const model = createModel()
  const detector = createPictureDetector({ detector: model, scaler, tiles: whole })
  const [first, second] = [detector.detect(pictureOf(1)), detector.detect(pictureOf(2))]
  await model.settle()
  expect(model.log).toEqual(['1,0,0', '2,0,0'])
  expect(await first).toMatchObject([{ className: 'thing 1' }])
  const third = detector.detect(pictureOf(3))
  await model.settle()
  await model.settle()
  expect([await second, await third]).toMatchObject([[{ classId: 2 }], [{ classId: 3 }]])
})

test('a third picture at once is refused', async () => {
  const model = createModel()
  const detector = createPictureDetector({ detector: model, scaler, tiles: whole })
  const both = Promise.all([detector.detect(pictureOf(1)), detector.detect(pictureOf(2))])
  await expect(detector.detect(pictureOf(3))).rejects.toThrow('2 pictures are waiting already; wait for one of them.')
  await model.settle()
  await model.settle()
  expect(await both).toHaveLength(2)
})

test('tiles of two pictures never mix, and are merged to one list each', async () => {
  const model = createModel()
  const detector = createPictureDetector({ detector: model, scaler, tiles: { columns: 2, rows: 1 } })
  const both = Promise.all([detector.detect(pictureOf(1)), detector.detect(pictureOf(2))])
  for (let look = 0; look < 6; look++) await model.settle()
  expect(model.log).toEqual(['1,0,0', '1,0,0', '1,17,0', '2,0,0', '2,0,0', '2,17,0'])
  const found = (await both).map((detections) => detections.map(({ classId, box }) => [classId, box.x]))
  expect(found).toEqual([
    [
      [1, 50],
      [1, 226],
    ],
    [
      [2, 50],
      [2, 226],
    ],
  ])
})

test('tiles of a plan that show nothing new are reported again without a look, and the whole picture is looked at', async () => {
  const model = createModel()
  const lookAt = () => ({ regions: tileRegions({ width: 400, height: 200 }, { columns: 2, rows: 1 }), shrink: 1 })
  const detector = createPictureDetector({ detector: model, scaler, tiles: { lookAt } })
  const first = detector.detect(pictureOf(1))
  for (let look = 0; look < 3; look++) await model.settle()
  const again = detector.detect(pictureOf(1))
  await model.settle()
  const changed = detector.detect(pictureOf(2))
  for (let look = 0; look < 3; look++) await model.settle()
  expect(model.log).toEqual(['1,0,0', '1,0,0', '1,17,0', '1,0,0', '2,0,0', '2,0,0', '2,17,0'])
  expect(await again).toEqual(await first)
  expect(await changed).toMatchObject([{ classId: 2 }, { classId: 2 }])
})

test('a picture that fails does not hinder the next', async () => {
  const model = createModel()
  const detector = createPictureDetector({ detector: model, scaler, tiles: whole })
  const bad = detector.detect(pictureOf(1))
  const good = detector.detect(pictureOf(2))
  const failure = expect(bad).rejects.toThrow('The model failed.')
  await model.settle('reject')
  await failure
  await model.settle()
  expect(await good).toMatchObject([{ classId: 2 }])
})

test('a picture that cannot be drawn does not hinder the next', async () => {
  const model = createModel()
  const broken: RgbScaler = {
    toRgb(frame, region, target) {
      if ((frame as unknown as { mark: number }).mark === 1) throw new Error('It cannot be drawn.')
      scaler.toRgb(frame, region, target)
    },
  }
  const detector = createPictureDetector({ detector: model, scaler: broken, tiles: whole })
  const bad = detector.detect(pictureOf(1))
  const good = detector.detect(pictureOf(2))
  await expect(bad).rejects.toThrow('It cannot be drawn.')
  await model.settle()
  expect(await good).toMatchObject([{ classId: 2 }])
})

test('a tile that is not worth a look shows what it showed before, and is not drawn', async () => {
  const model = createModel()
  const detector = createPictureDetector({ detector: model, scaler, tiles: { columns: 2, rows: 1 } })
  const first = detector.detect(pictureOf(1))
  for (let look = 0; look < 3; look++) await model.settle()
  await first
  const second = detector.detect(pictureOf(2), 0, ({ x }) => x > 0)
  for (let look = 0; look < 2; look++) await model.settle()
  expect(model.log.slice(3)).toEqual(['2,0,0', '2,17,0'])
  expect((await second).map(({ classId }) => classId)).toContain(1)
})
