import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { MAX_CANDIDATES } from './convert/detection-head.ts'
import { checkWeights, loadEmbeddedModel } from './embedded-weights.ts'
import { cocoModels } from './coco-models.ts'
import { type EmbeddedModel } from './model-card.ts'
import { openSession } from './onnx-session.ts'

const [fast] = cocoModels as readonly [EmbeddedModel]
const format = { activations: 'uint8', weights: 'int8' } as const
// Real models: a small or busy machine needs its time.
vi.setConfig({ testTimeout: 60_000 })

let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'weights-'))
})
afterAll(() => rm(dir, { recursive: true }))

describe('loadEmbeddedModel', () => {
  test.each(cocoModels)('converts the weights of "$name" to a model that runs', async (model) => {
    const { width, height } = model.inputSize
    const session = await openSession({ model: await loadEmbeddedModel(model, format, dir) })
    expect(session.plan.picture.shape).toEqual([1, height, width, 3])
    const outputs = await session.run(new Uint8Array(width * height * 3).fill(model.picture.padding))
    const lengths = Object.fromEntries(Object.entries(outputs).map(([name, values]) => [name, values.length]))
    expect(lengths).toEqual({
      score: MAX_CANDIDATES,
      class: MAX_CANDIDATES,
      box: MAX_CANDIDATES * 4,
      anchor: MAX_CANDIDATES * 4,
    })
    const scores = [...outputs.score!]
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(scores.every((score) => score > 0 && score < 0.5)).toBe(true)
    expect(outputs.class!.every((output) => output >= 0 && output < model.classes.length)).toBe(true)
    expect(outputs.anchor!.every((value) => value > -4 && value < 4)).toBe(true)
    await session.close()
  })

  test('converts once, and keeps what each number format needs', async () => {
    const own = join(dir, 'own')
    const first = await loadEmbeddedModel(fast, format, own)
    const [file] = await readdir(own)
    const { mtimeMs } = await stat(join(own, file!))
    expect(Buffer.from(first).equals(await loadEmbeddedModel(fast, format, own))).toBe(true)
    expect((await stat(join(own, file!))).mtimeMs).toBe(mtimeMs)

    await loadEmbeddedModel(fast, { activations: 'int8', weights: 'int8' }, own)
    expect(await readdir(own)).toHaveLength(2)
  })
})

test('weights with another checksum are refused with a sentence', () => {
  expect(() => checkWeights(Buffer.from('something else'), fast)).toThrow(
    /weights of the model "fast" .* have the checksum [0-9a-f]{64} instead of 2e04c53b.*install the package/,
  )
})

test('a wrong checksum in the catalogue keeps a model from being converted', async () => {
  const other = { ...fast, weights: { ...fast.weights, sha256: '0'.repeat(64) } }
  await expect(loadEmbeddedModel(other, format, join(dir, 'other'))).rejects.toThrow(/checksum/)
})
