import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { writePng } from '../../test/builders/png.ts'
import { aPlate } from '../../test/builders/rendered-plate.ts'
import { renderPerson } from '../../test/builders/rendered-person.ts'
import { renderVehicle } from '../../test/builders/rendered-vehicle.ts'
import { UsageError } from './command.ts'
import { enhance } from './enhance.ts'

vi.setConfig({ testTimeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'enhance-'))
const [car, person, gone] = ['car.png', 'person.png', 'gone.png'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]

beforeAll(() => {
  writePng(car, renderVehicle({ paint: '#1840a0', width: 480, height: 384, plate: aPlate({ lines: ['HNK 4729'] }) }))
  writePng(person, renderPerson({ upper: '#b01820', lower: '#1c1c20' }))
})
afterAll(() => rmSync(folder, { recursive: true }))

let written: { stdout: string; stderr: string }
beforeEach(() => {
  written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text)
      return true
    })
})
afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = undefined
})

async function lines(...args: string[]): Promise<unknown[]> {
  await enhance.run(args)
  return written.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

describe('aerie enhance', () => {
  test('tells a car’s type, colour and plate, and goes on after a picture that is gone', async () => {
    expect(await lines(gone, car, '--class', 'car')).toEqual([
      {
        file: car,
        class_name: 'car',
        vehicle_type: 'car',
        color: { name: 'blue', confidence: expect.any(Number) },
        plate: { text: 'HNK4729', confidence: expect.any(Number) },
        upper_color: null,
        lower_color: null,
        kind: null,
        estimated_size_m: null,
        distance_m: null,
      },
    ])
    expect(written.stderr).toBe(`aerie: There is no file ${gone}.\n`)
    expect(process.exitCode).toBe(1)
  })

  test('tells a person’s clothes, and a drone’s size', async () => {
    expect(await lines(person, '--class', 'person')).toMatchObject([
      { vehicle_type: null, plate: null, upper_color: { name: 'red' }, lower_color: { name: 'black' } },
    ])
    written.stdout = ''
    expect(await lines(person, '--class', 'drone', '--angle', '0.2', '--distance', '100')).toMatchObject([
      { kind: 'drone', estimated_size_m: 0.349, distance_m: 100, color: null },
    ])
  })

  test.each([
    [[], 'name at least one picture'],
    [['a.jpg', '--distance', '0'], '--distance must be more than 0'],
    [['a.jpg', '--angle', 'wide'], '--angle must be a number'],
    [['a.jpg', '--class', 'cra'], 'nothing can be told of "cra"; --class is one of person, car'],
  ])('%j is refused', async (args, sentence) => {
    await expect(enhance.run(args)).rejects.toThrow(UsageError)
    await expect(enhance.run(args)).rejects.toThrow(sentence)
  })
})
