import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { writeModelFolder } from '../../../test/models/model-folder.ts'
import * as tiny from '../../../test/models/tiny-models.ts'
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { type OnnxValue } from './convert/onnx-graph.ts'
import { writeOnnx } from './convert/onnx-writer.ts'
import { createDetector } from './detector.ts'

// Real sessions: a small or busy machine needs its time.
vi.setConfig({ testTimeout: 60_000 })

const folder = useTemporaryFolder('fit-')

const load = (model: string) => createDetector({ model, modelsDir: folder(), cacheDir: folder(), confidence: 0.3 })

/** What is said of a model whose description is changed. */
async function refusal({ onnx, json }: tiny.TinyModel, changes: object = {}): Promise<string> {
  const model = { onnx, json: { ...json, ...changes, name: 'tiny' } }
  await writeModelFolder(folder(), model)
  return load('tiny').then(
    () => 'nothing',
    (error: Error) => error.message,
  )
}

/** A graph that answers zeros for an input of any kind. */
function zeros(input: Partial<OnnxValue>, ...outputs: readonly (readonly number[])[]): tiny.TinyModel {
  const image: OnnxValue = { name: 'images', element: 'float32', shape: [1, 3, 32, 64], ...input }
  const values = outputs.map((shape, index): OnnxValue => ({ name: `output${index}`, element: 'float32', shape }))
  const constants = values.map(({ name, shape }) => {
    const length = shape.reduce<number>((product, size) => product * Number(size), 1)
    return [
      `${name}.zeros`,
      { element: 'float32', shape: shape as number[], data: new Uint8Array(4 * length) },
    ] as const
  })
  const nodes = values.map(({ name }) => ({ operator: 'Identity', inputs: [`${name}.zeros`], outputs: [name] }))
  const onnx = writeOnnx({ name: 'zeros', inputs: [image], outputs: values, nodes, constants: new Map(constants) })
  return { onnx, json: { name: 'tiny', family: 'yolov8', classes: ['person', 'car'], licence: 'CC0-1.0' } }
}

describe('a model that does not fit its description is refused with what was expected and what is there', () => {
  test.each<{ name: string; model: tiny.TinyModel; changes?: object; says: string }>([
    {
      name: 'too few classes',
      model: tiny.tinyYolov8(),
      changes: { classes: ['person'] },
      says: 'it tells 2 classes apart, but model.json names 1; name them all',
    },
    {
      name: 'too many classes',
      model: tiny.tinyYolox(),
      changes: { classes: ['person', 'car', 'bus'] },
      says: 'it tells 2 classes apart, but model.json names 3',
    },
    {
      name: 'a number beyond the outputs',
      model: tiny.tinyDetr(),
      changes: { classes: { 2: 'bus' } },
      says: 'it tells 2 classes apart, numbered from 0, but model.json names number 2',
    },
    {
      name: 'yolov8 taken for yolox',
      model: tiny.tinyYolov8(),
      changes: { family: 'yolox', classes: ['person'] },
      says: 'its output "output0" has 6 rows, but a picture of 64×32 has 42 cells',
    },
    {
      name: 'yolox taken for yolov8',
      model: tiny.tinyYolox(),
      changes: { family: 'yolov8', decoded: false },
      says: 'it tells 38 classes apart, but model.json names 2',
    },
    {
      name: 'yolov8 taken for detr',
      model: tiny.tinyYolov8(),
      changes: { family: 'detr' },
      says: 'it has no output "logits" or "pred_logits" or "labels"; its outputs are: "output0" (1×6×6)',
    },
    {
      name: 'aerie taken for efficientdet',
      model: tiny.tinyAerie(),
      changes: { family: 'efficientdet' },
      says: 'it has no output "class"; its outputs are: "box" (1×4×4), "score" (1×4), "cls" (1×4)',
    },
    {
      name: 'efficientdet taken for yolov8',
      model: tiny.tinyEfficientdet(),
      changes: { family: 'yolov8' },
      says: 'it has 4 outputs instead of one: "score" (1×3)',
    },
    {
      name: 'an output that is not there',
      model: tiny.tinyRfDetr(),
      changes: { outputs: { logits: 'scores' } },
      says: 'it has no output "scores"; its outputs are: "dets" (1×3×4), "labels" (1×3×4)',
    },
    {
      name: 'a role that is not there',
      model: tiny.tinyRfDetr(),
      changes: { outputs: { score: 'labels' } },
      says: '"outputs" names score, but this family has: logits, boxes',
    },
    {
      name: 'suppression in the graph',
      model: zeros({}, [1, 300, 6]),
      says: 'is 1×300×6, but 1×(4 + 2 classes)×N is expected; suppression is in the graph: export it without',
    },
    {
      name: 'another size than the graph has',
      model: tiny.tinyYolov8(),
      changes: { input: { width: 640, height: 640 } },
      says: 'its input "images" takes pictures of 64×32, but model.json says 640×640',
    },
    {
      name: 'no size where the graph leaves it open',
      model: tiny.tinyDetr(),
      changes: { input: {} },
      says: 'its input "pixel_values" takes pictures of any size; say in model.json which',
    },
    {
      name: 'several pictures at once',
      model: zeros({ shape: [5, 3, 32, 64] }, [1, 6, 6]),
      says: 'its input "images" takes 5 pictures at once; export it for one',
    },
    {
      name: 'grey pictures',
      model: zeros({ shape: [1, 1, 32, 64] }, [1, 6, 6]),
      says: 'its input "images" is 1×1×32×64, but 1×3×height×width or 1×height×width×3 is expected',
    },
    {
      name: 'an input of other numbers',
      model: zeros({ element: 'int32' }, [1, 6, 6]),
      says: 'its input "images" holds int32; export it with float32 (or uint8) inputs',
    },
    {
      name: 'a huge picture',
      model: zeros({ shape: [1, 3, 100_000, 100_000] }, [1, 6, 6]),
      says: 'it takes pictures of 100000×100000; 4096 a side is the most',
    },
  ])('$name', async ({ model, changes, says }) => {
    const sentence = await refusal(model, changes)
    expect(sentence).toContain(says)
    expect(sentence).toMatch(/^The model "tiny" cannot be used as \w+: .*\.$/)
  })
})

describe('a broken file is refused with a sentence', () => {
  test.each([
    { name: 'cut off', spoil: (file: string) => truncate(file, 200) },
    { name: 'empty', spoil: (file: string) => truncate(file, 0) },
    { name: 'something else', spoil: (file: string) => writeFile(file, '<html>not found</html>') },
  ])('$name', async ({ spoil }) => {
    const modelFolder = await writeModelFolder(folder(), tiny.tinyYolox())
    await spoil(join(modelFolder, 'model.onnx'))
    const loading = load('tiny-yolox')
    await expect(loading).rejects.toThrow(/^The model "tiny-yolox" cannot be used as yolox: .+\.$/)
    await expect(loading).rejects.not.toThrow(folder())
  })
})

test('a model is refused on a canvas of another size', async () => {
  await writeModelFolder(folder(), tiny.tinyYolox())
  const detector = await load('tiny-yolox')
  const letterbox = { region: { x: 0, y: 0, ...tiny.canvas }, scaled: tiny.canvas }
  await expect(detector.detect(new Uint8Array(12), letterbox)).rejects.toThrow(/takes a picture of 6144 bytes/)
  await detector.close()
})
