import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { writeModelFolder } from '../models/model-folder.ts'
import { tinyDetr, tinyYolov8 } from '../models/tiny-models.ts'

let rig: ProcessRig
const models = mkdtempSync(join(tmpdir(), 'aerie-models-'))
beforeAll(async () => {
  await writeModelFolder(models, tinyDetr())
  // Its graph is of another family than it says.
  const { onnx, json } = tinyYolov8()
  await writeModelFolder(models, { onnx, json: { ...json, name: 'misnamed', family: 'yolox' } })
  const folder = await writeModelFolder(models, { onnx, json: { ...json, name: 'broken' } })
  writeFileSync(join(folder, 'model.onnx'), onnx.subarray(0, onnx.length >> 1))
  rig = await createProcessRig({ AERIE_MODELS_DIR: models })
})
afterEach(() => rig.clear())
afterAll(async () => {
  await rig.remove()
  rmSync(models, { recursive: true })
})

test('a model that users bring finds what it finds, and one that does not fit is told of while others go on', async () => {
  const { sourceId } = await rig.goLive('brought')
  const started = await rig.start(sourceId, { model: 'tiny-detr', tracking: 'false', confidence: '60' })
  const socket = await rig.connect(started)
  for (const { active_tracks: tracks, frame } of await socket.more(5)) {
    // Its second box is always there: (0.375, 0.25) to (0.625, 0.75) of the picture, as sure as 0.7.
    const steady = tracks.filter(({ confidence }) => Math.abs(confidence - 70) < 0.1)
    expect(steady).toMatchObject([{ class_name: 'person', track_id: 0 }])
    for (const [index, value] of [0.375, 0.25, 0.25, 0.5].entries())
      expect(steady[0]!.scaled_bbox[index]).toBeCloseTo(value, 3)
    expect(frame).toMatchObject({ width: 768, height: 576 })
  }

  const listed = await rig.ask<{ name: string }[]>('GET', '/models')
  expect(listed.map(({ name }) => name)).toContain('tiny-detr')
  for (const model of ['misnamed', 'broken']) {
    const answer = await rig.tryStart(sourceId, { model })
    expect(answer, model).toMatchObject({ status: 503, code: 'model-unusable' })
    expect(answer.detail, model).toMatch(new RegExp(`${model}.+\\.$`, 's'))
  }
  expect(await rig.tryStart(sourceId, { model: 'nowhere' })).toMatchObject({ status: 422 })
  expect(await rig.info(started.process_uuid)).toMatchObject({ state: 'running', restarts: 0 })
  await socket.more(3)
})
