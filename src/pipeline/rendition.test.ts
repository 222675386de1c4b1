import '../av/polyfill.ts'
import '../av/input.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeSinks } from '../../test/builders/fake-sinks.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { createOutputPicturePool, type OutputPicturePool } from './encode/output-picture.ts'
import { createRendition, type Rendition } from './rendition.ts'

let pool: OutputPicturePool
let fakes: ReturnType<typeof createFakeSinks>
let rendition: Rendition
beforeEach(() => {
  pool = createOutputPicturePool(4)
  fakes = createFakeSinks()
  rendition = createRendition(() => 25, fakes.openSink)
})
afterEach(async () => {
  await rendition.close()
  pool.close()
})

const output = (id: string): VideoOutput => ({ id, lines: null, target: { kind: 'recording', folder: id } })

function encode(timeMs: number): void {
  const picture = pool.take({ width: 320, height: 180 })
  for (const plane of [picture.planes.y, picture.planes.u, picture.planes.v]) plane.fill(128)
  rendition.encode(picture, timeMs)
  picture.release()
}

test('a picture is encoded once for all outputs', async () => {
  for (const id of ['a', 'b']) rendition.attach(output(id), () => {})
  encode(0)
  await Promise.all(fakes.sinks.map((sink) => sink.until(1)))
  const [a, b] = fakes.sinks.map(({ written }) => written[0])
  expect(a).toMatchObject({ isKeyframe: true, ptsMs: 0 })
  expect(a!.nalUnits.length).toBeGreaterThan(1)
  expect(b).toBe(a)
})

test('our own trouble is reported before the sink’s, until there is a picture again', async () => {
  const states: string[] = []
  rendition.attach(output('a'), (state, sentence) => void states.push(`${state} ${sentence}`))
  const [sink] = fakes.sinks
  rendition.fail('It cannot be drawn.')
  rendition.fail('It cannot be drawn.')
  sink!.setState('sending', null)
  encode(0)
  await sink!.until(1)
  expect(states).toEqual(['waiting It cannot be drawn.', 'waiting It cannot be drawn.', 'sending null'])
})

test('an output that is detached is closed, and gets nothing more', async () => {
  for (const id of ['a', 'b']) rendition.attach(output(id), () => {})
  expect(await rendition.detach('a')).toBe(true)
  expect(await rendition.detach('a')).toBe(false)
  encode(0)
  const [a, b] = fakes.sinks
  await b!.until(1)
  expect([a!.isClosed, a!.written.length, rendition.isWanted]).toEqual([true, 0, true])
  await rendition.detach('b')
  expect([b!.isClosed, rendition.isWanted]).toEqual([true, false])
})
