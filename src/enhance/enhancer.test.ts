import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writePng } from '../../test/builders/png.ts'
import { renderVehicle } from '../../test/builders/rendered-vehicle.ts'
import { createEnhancer } from './enhancer.ts'
import { WeightsError } from './plates/ocr-weights.ts'

const folder = mkdtempSync(join(tmpdir(), 'enhancer-'))
const file = join(folder, 'car.png')
const pictures = [{ file, confidence: 0.9, role: 'patch' as const }]

beforeAll(() => writePng(file, renderVehicle({ paint: '#1840a0' })))
afterAll(() => rmSync(folder, { recursive: true }))

test('models are opened once, for the first vehicle with a plate, and closed with it', async () => {
  const calls: string[] = []
  const enhancer = createEnhancer({
    openReader: async () => {
      calls.push('open')
      return { read: async () => [], close: async () => void calls.push('close') }
    },
  })
  await enhancer.enhance({ className: 'bicycle', pictures })
  await enhancer.enhance({ className: 'drone', pictures: [] })
  expect(calls).toEqual([])
  await enhancer.enhance({ className: 'car', pictures })
  await enhancer.enhance({ className: 'truck', pictures })
  expect(calls).toEqual(['open'])
  await enhancer.close()
  expect(calls).toEqual(['open', 'close'])
})

test('without weights plates cannot be read, which is an error; bicycles need none', async () => {
  const enhancer = createEnhancer({
    openReader: () => Promise.reject(new WeightsError('The weights are missing; install them.')),
  })
  await expect(enhancer.enhance({ className: 'car', pictures })).rejects.toThrow(WeightsError)
  expect(await enhancer.enhance({ className: 'bicycle', pictures })).toMatchObject({
    data: { vehicle_type: 'bicycle', plate: null },
  })
  await enhancer.close()
})

test('of what is neither vehicle, person nor flying nothing is reported, and its pictures are not needed', async () => {
  const { data, needsPictures } = await createEnhancer().enhance({ className: 'dog', pictures: [] })
  expect(needsPictures).toBe(false)
  expect(new Set(Object.values(data))).toEqual(new Set([null]))
})

test('of a vehicle without pictures the type is reported, and why there is no more', async () => {
  const enhanced = await createEnhancer().enhance({ className: 'car', pictures: [], groundWidthM: 9 })
  expect(enhanced).toMatchObject({
    data: { vehicle_type: 'large vehicle', color: null, plate: null },
    needsPictures: true,
    unread: 'The track has no pictures.',
  })
})
