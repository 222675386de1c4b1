import '../av/polyfill.ts'
import '../av/input.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeSinks } from '../../test/builders/fake-sinks.ts'
import { aGreyPicture } from '../../test/builders/grey-picture.ts'
import { parseH264Sps } from '../media/rtp/h264-sps.ts'
import { type FromWorker } from './messages.ts'
import { createPreview, type Preview } from './preview.ts'

const target = { kind: 'hub', path: 'ann/cam/~preview', url: 'rtsp://hub/ann/cam/~preview' } as const
let fakes: ReturnType<typeof createFakeSinks>
let sent: FromWorker[]
let preview: Preview
beforeEach(() => {
  fakes = createFakeSinks()
  sent = []
  preview = createPreview((message) => void sent.push(message), fakes.openSink)
})
afterEach(() => preview.close())

function show(timeMs: number, rtpTimestamp: number | null = 90 * timeMs): void {
  const picture = aGreyPicture({ timeMs, rtpTimestamp })
  preview.show(picture)
  picture.decoded.release()
  expect(picture.holders()).toBe(0)
}

test('it is small, and has the times of the source', async () => {
  show(0)
  expect(fakes.sinks).toEqual([])
  preview.setTarget(target)
  // Without the source's time nobody could match it with detections.
  show(20, null)
  show(40)
  const [sink] = fakes.sinks
  await sink!.until(1)
  expect(sink!.target).toBe(target)
  const [first] = sink!.written
  expect(first).toMatchObject({ isKeyframe: true, ptsMs: 40 })
  const sps = first!.nalUnits.find((unit) => (unit[0]! & 0x1f) === 7)!
  expect(parseH264Sps(sps)).toMatchObject({ width: 640, height: 360 })
})

test('nothing is published while the source is lost, nor when nobody looks', async () => {
  preview.setTarget(target)
  preview.setLost(true)
  preview.setLost(true)
  expect(fakes.sinks).toHaveLength(1)
  preview.setLost(false)
  expect(fakes.sinks).toHaveLength(2)
  preview.setTarget(null)
  await preview.close()
  expect(fakes.sinks.map(({ isClosed }) => isClosed)).toEqual([true, true])
})

test('what goes wrong is reported once, not once a picture', () => {
  preview.setTarget(target)
  const [sink] = fakes.sinks
  for (let times = 0; times < 3; times++) sink!.setState('waiting', 'The media server is gone.')
  expect(sent).toEqual([{ type: 'warning', sentence: 'The preview has no picture: The media server is gone.' }])
})
