import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { writePng } from '../../test/builders/png.ts'
import { aPlate } from '../../test/builders/rendered-plate.ts'
import { renderPerson } from '../../test/builders/rendered-person.ts'
import { renderVehicle } from '../../test/builders/rendered-vehicle.ts'
import { isHeartbeat } from '../supervise/child-entry.ts'
import { type FromEnhancer, nothingFound, type ToEnhancer, type TrackToEnhance } from './messages.ts'

// A real child with real models: a small or busy machine needs its time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'enhance-'))
const inFolder = (name: string) => join(folder, name)
const pictures = (...names: string[]) =>
  names.map((name) => ({ file: inFolder(name), confidence: 0.9, role: 'crop' as const }))

beforeAll(() => {
  const plate = aPlate({ lines: ['KX62 WTR'] })
  writePng(inFolder('car.png'), renderVehicle({ paint: '#b01820', width: 480, height: 384, plate }))
  writePng(inFolder('person.png'), renderPerson({ upper: '#2c8c3c', lower: '#1c1c20' }))
  writeFileSync(inFolder('broken.jpg'), Buffer.from('\xff\xd8\xff and nothing more', 'latin1'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The child as it runs in the service, but for what turns TypeScript into JavaScript. */
let child: ChildProcess
let answers: AsyncIterator<[FromEnhancer]>
beforeEach(() => {
  const runner = new URL('../../node_modules/vite-node/vite-node.mjs', import.meta.url).pathname
  child = fork(runner, [new URL('./worker.ts', import.meta.url).pathname], { serialization: 'advanced', silent: true })
  answers = messagesOf(child)
})
afterEach(async () => {
  if (child.connected) child.disconnect()
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
})

async function* messagesOf(from: ChildProcess): AsyncGenerator<[FromEnhancer]> {
  const waiting: FromEnhancer[] = []
  let wake = () => {}
  from.on('message', (message) => {
    if (isHeartbeat(message)) return
    waiting.push(message as FromEnhancer)
    wake()
  })
  for (;;) {
    while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    yield [waiting.shift()!]
  }
}
const answer = async () => (await answers.next()).value[0] as FromEnhancer
const ask = (request: number, track: TrackToEnhance) =>
  child.send({ type: 'enhance', request, track } satisfies ToEnhancer)

test('answers every track once, in order; a broken picture fails only its own', async () => {
  ask(1, { className: 'car', pictures: pictures('car.png', 'broken.jpg') })
  ask(2, { className: 'person', pictures: pictures('broken.jpg', 'gone.jpg') })
  ask(3, { className: 'person', pictures: pictures('person.png') })
  ask(4, { className: 'drone', pictures: [], angularWidthDeg: 0.2, distanceM: 100 })
  expect(await answer()).toEqual({ type: 'ready' })
  const confidence = expect.any(Number) as number
  expect(await answer()).toEqual({
    type: 'enhanced',
    request: 1,
    enhanced: {
      needsPictures: true,
      data: {
        ...nothingFound,
        vehicle_type: 'car',
        color: { name: 'red', confidence },
        plate: { text: 'KX62WTR', confidence },
      },
    },
  })
  expect(await answer()).toEqual({
    type: 'enhanced',
    request: 2,
    enhanced: {
      needsPictures: true,
      data: nothingFound,
      unread: `${inFolder('broken.jpg')} is damaged.`,
    },
  })
  expect(await answer()).toEqual({
    type: 'enhanced',
    request: 3,
    enhanced: {
      needsPictures: true,
      data: { ...nothingFound, upper_color: { name: 'green', confidence }, lower_color: { name: 'black', confidence } },
    },
  })
  expect(await answer()).toEqual({
    type: 'enhanced',
    request: 4,
    enhanced: {
      needsPictures: false,
      data: { ...nothingFound, kind: 'drone', estimated_size_m: 0.349, distance_m: 100 },
    },
  })
})

test('goes when its parent does', async () => {
  expect(await answer()).toEqual({ type: 'ready' })
  child.disconnect()
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(0)
})
