import { mkdir, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeModelFolder } from '../../../test/models/model-folder.ts'
import { tinyAerie, tinyYolov8, tinyYolox } from '../../../test/models/tiny-models.ts'
import { findModel, listUserModels } from './user-models.ts'

let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'user-models-'))
})
afterEach(() => rm(dir, { recursive: true }))

const problems = async () => (await listUserModels(dir)).problems.map(({ sentence }) => sentence)
const names = async () => (await listUserModels(dir)).models.map(({ name }) => name)

describe('listUserModels', () => {
  test('every folder with a model and its description is a model', async () => {
    await writeModelFolder(dir, tinyYolox())
    await writeModelFolder(dir, tinyAerie(), 'another name')
    expect(await names()).toEqual(['tiny-aerie', 'tiny-yolox'])
    expect(await problems()).toEqual([])
  })

  test('without a folder of models there are none', async () => {
    expect(await listUserModels(undefined)).toEqual({ models: [], problems: [] })
  })

  test('other files and folders are left alone', async () => {
    await writeFile(join(dir, 'README'), 'hello')
    await mkdir(join(dir, 'lost+found'))
    await writeModelFolder(dir, tinyYolox(), '.half-copied')
    expect(await listUserModels(dir)).toEqual({ models: [], problems: [] })
  })

  test('one that is broken does not keep the others from being used', async () => {
    await writeModelFolder(dir, tinyAerie())
    const folder = await writeModelFolder(dir, tinyYolox())
    await writeFile(join(folder, 'model.json'), '{"name": "tiny')
    expect(await names()).toEqual(['tiny-aerie'])
    expect(await problems()).toEqual([
      expect.stringMatching(/^The model in the folder "tiny-yolox" cannot be used: model\.json is not JSON \(.+\)\.$/s),
    ])
  })

  test.each(['model.json', 'model.onnx'])('a folder without %s is reported', async (file) => {
    const folder = await writeModelFolder(dir, tinyYolox())
    await rm(join(folder, file))
    expect(await problems()).toEqual([expect.stringContaining(`it has no file ${file}`)])
  })

  test('a model of two gigabytes is refused before it is read', async () => {
    const folder = await writeModelFolder(dir, tinyYolox())
    await truncate(join(folder, 'model.onnx'), 2 ** 31)
    expect(await problems()).toEqual([expect.stringContaining('its files take 2.0 GiB, but 1 GiB is the most')])
  })

  test('weights beside the model count too', async () => {
    const folder = await writeModelFolder(dir, tinyYolox())
    await writeFile(join(folder, 'model.onnx.data'), '')
    await truncate(join(folder, 'model.onnx.data'), 2 ** 30)
    expect(await problems()).toEqual([expect.stringContaining('1 GiB is the most')])
  })

  test('a description of megabytes is refused before it is read', async () => {
    const folder = await writeModelFolder(dir, tinyYolox())
    await truncate(join(folder, 'model.json'), 2 ** 31)
    expect(await problems()).toEqual([expect.stringContaining('model.json is larger than 1 MiB')])
  })

  test('names of embedded models, and of each other, are taken', async () => {
    await writeModelFolder(dir, { ...tinyAerie(), json: { ...tinyAerie().json, name: 'fast' } }, 'a')
    await writeModelFolder(dir, tinyYolox(), 'b')
    await writeModelFolder(dir, { ...tinyYolov8(), json: { ...tinyYolov8().json, name: 'tiny-yolox' } }, 'c')
    expect(await names()).toEqual(['tiny-yolox'])
    expect(await problems()).toEqual([
      expect.stringContaining('the name "fast" is that of an embedded model'),
      expect.stringContaining('the name "tiny-yolox" is that of another model'),
    ])
  })

  test('a folder that is not there is reported', async () => {
    await expect(listUserModels(join(dir, 'nowhere'))).rejects.toThrow(/nowhere cannot be read \(ENOENT\)/)
  })
})

describe('findModel', () => {
  test('finds embedded models and those of users', async () => {
    await writeModelFolder(dir, tinyYolox(), 'b')
    expect(await findModel('fast', dir)).toHaveProperty('weights')
    expect(await findModel('tiny-yolox', dir)).toHaveProperty('file', join(dir, 'b', 'model.onnx'))
  })

  test('an unknown name is answered with the known ones', async () => {
    await writeModelFolder(dir, tinyYolox())
    await expect(findModel('huge', dir)).rejects.toThrow(
      'There is no model "huge"; choose one of: fast, balanced, accurate, airborne, thermal, overhead, tiny-yolox.',
    )
  })

  test('the name of a broken folder is answered with what is wrong with it', async () => {
    const folder = await writeModelFolder(dir, tinyYolox())
    await rename(join(folder, 'model.json'), join(folder, 'model.jsonn'))
    await expect(findModel('tiny-yolox', dir)).rejects.toThrow(
      /"tiny-yolox" cannot be used: it has no file model\.json/,
    )
  })
})
