import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test/support/app.ts'
import { writeModelFolder } from '../../test/models/model-folder.ts'
import { tinyDetr, tinyYolox } from '../../test/models/tiny-models.ts'

let dir: string
let app: TestApp | undefined

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'aerie-models-'))
})
afterEach(async () => {
  await app?.remove()
  app = undefined
  await rm(dir, { recursive: true })
})

test('the models that come with the service are listed with what is known of them', async () => {
  app = await createTestApp()
  const { body } = await app.call('GET', '/models')
  expect(body.map(({ name }: { name: string }) => name)).toEqual([
    'fast',
    'balanced',
    'accurate',
    'airborne',
    'thermal',
    'overhead',
  ])
  const tiles = body.map((model: { suggested_tiles: string }) => model.suggested_tiles)
  expect(tiles).toEqual(['1x1', '1x1', '1x1', 'auto', '1x1', 'auto'])
  expect(body[0]).toMatchObject({
    is_default: true,
    is_brought: false,
    status: 'stable',
    use_when: expect.stringContaining('speed') as string,
    family: 'efficientdet',
    input: { width: 320, height: 320 },
    licence: 'Apache-2.0',
    description: null,
    accuracy: { published_coco_map: 25.7, people: { average_precision: 0.858 } },
    speed: null,
  })
  expect(body[0].classes).toHaveLength(80)
  expect(body[3]).toMatchObject({ status: 'beta', accuracy: { published_coco_map: null, people: null } })
  expect(body[3].accuracy.measured[0].average_precision).toMatchObject({ drone: 0.826 })
  expect(body[5]).toMatchObject({ status: 'experimental', classes: [{ class_id: 1, class_name: 'vehicle' }] })
})

test('models that users bring are listed behind them, and what nobody knows of them is null', async () => {
  const yolox = tinyYolox()
  await writeModelFolder(dir, { ...yolox, json: { ...yolox.json, description: 'Finds nothing.', attribution: 'us' } })
  await writeModelFolder(dir, tinyDetr())
  app = await createTestApp({ AERIE_MODELS_DIR: dir, AERIE_MODEL: 'tiny-detr' })
  const { body } = await app.call('GET', '/models')
  expect(body.slice(6)).toEqual([
    {
      name: 'tiny-detr',
      is_default: true,
      is_brought: true,
      status: null,
      use_when: null,
      suggested_tiles: '1x1',
      family: 'detr',
      input: { width: 64, height: 32 },
      licence: 'CC0-1.0',
      attribution: null,
      description: null,
      accuracy: null,
      reference_speed: null,
      computed_by: 'cpu',
      speed: null,
      classes: [
        { class_id: 0, class_name: 'person' },
        { class_id: 1, class_name: 'car' },
      ],
    },
    expect.objectContaining({
      name: 'tiny-yolox',
      is_default: false,
      input: null,
      description: 'Finds nothing.',
      attribution: 'us',
    }),
  ])
})

test('a model that is broken is reported in the log, and the service starts without it', async () => {
  const folder = await writeModelFolder(dir, tinyYolox())
  await writeFile(join(folder, 'model.json'), '{}')
  app = await createTestApp({ AERIE_MODELS_DIR: dir })
  expect((await app.call('GET', '/models')).body).toHaveLength(6)
  expect(app.logLines.join('')).toContain(
    'The model in the folder \\"tiny-yolox\\" cannot be used: model.json is wrong',
  )
})

test('a default model that is not there keeps the service from starting', async () => {
  await expect(createTestApp({ AERIE_MODELS_DIR: dir, AERIE_MODEL: 'mine' })).rejects.toThrow(
    /AERIE_MODEL: there is no model mine; choose one of fast, balanced, accurate, airborne, thermal, overhead/,
  )
})
