import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cocoModels } from './coco-models.ts'
import { embeddedModels, findEmbeddedModel } from './model-catalog.ts'
import { trainedModels } from './trained-models.ts'

test('the models stand in the order of their size and accuracy, our own behind them', () => {
  const names = embeddedModels.map(({ name }) => name)
  expect(names.join(' ')).toBe('fast balanced accurate airborne thermal overhead')
  const precision = cocoModels.map(({ accuracy }) => accuracy.people!.averagePrecision)
  expect(precision).toEqual(precision.toSorted((a, b) => a - b))
})

test.each(embeddedModels)('"$name" says whose it is, how far to trust it and when to use it', (model) => {
  expect(model.licence).toBe('Apache-2.0')
  expect(model.attribution).toMatch(/Google|HIT-UAV|Drone-detection-dataset/)
  expect(model.useWhen.length).toBeGreaterThan(40)
  expect(model.status).toBe({ airborne: 'beta', thermal: 'beta', overhead: 'experimental' }[model.name] ?? 'stable')
})

test.each(trainedModels)('what is said of "$name" is what its card says', ({ weights, classes, accuracy }) => {
  const card = JSON.parse(readFileSync(`models/${weights.file.replace('.onnx', '.json')}`, 'utf8'))
  expect(weights.sha256).toBe(card.files['model.onnx'].sha256)
  for (const known of classes) if (known) expect(card.classes[known.id]).toBe(known.name)
  const figures = Object.values(card.metrics as Record<string, object>).flatMap((one) => Object.values(one))
  for (const { byClass } of accuracy.measured)
    for (const figure of Object.values(byClass)) expect(figures).toContain(figure)
})

test('every data set that our models learnt from is named with its attribution in NOTICE', () => {
  const notice = readFileSync('NOTICE', 'utf8').replace(/\s+/g, ' ')
  for (const { weights } of trainedModels) {
    const card = JSON.parse(readFileSync(`models/${weights.file.replace('.onnx', '.json')}`, 'utf8'))
    for (const { source, attribution } of card.trainingData) {
      expect(notice).toContain(source.split(' ')[0])
      expect(notice).toContain(attribution)
    }
  }
})

test('every data set that our models were measured with is named, and stands in NOTICE', () => {
  const notice = readFileSync('NOTICE', 'utf8').replace(/\s+/g, ' ')
  for (const { on } of trainedModels.flatMap(({ accuracy }) => accuracy.measured)) {
    const [dataSet] = /Drone-detection-dataset|HIT-UAV|DJI frames of aerial-cars-dataset/.exec(on) ?? []
    expect(dataSet, on).toBeDefined()
    expect(notice).toContain(dataSet)
  }
})

test('an unknown name is answered with the known ones', () => {
  expect(() => findEmbeddedModel('huge')).toThrow(
    'There is no model "huge"; choose one of: fast, balanced, accurate, airborne, thermal, overhead.',
  )
})
