import '../av/polyfill.ts'
import '../av/input.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeSinks } from '../../test/builders/fake-sinks.ts'
import { aGreyPicture, type GreyPicture } from '../../test/builders/grey-picture.ts'
import { createDeferred, type Deferred } from '../core/deferred.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { type FromWorker } from './messages.ts'
import { createVideoOut, type VideoOut } from './video-out.ts'

let fakes: ReturnType<typeof createFakeSinks>
let sent: FromWorker[]
let pictureSent: Deferred<void>
let videoOut: VideoOut
beforeEach(() => {
  fakes = createFakeSinks()
  sent = []
  pictureSent = createDeferred()
  videoOut = createVideoOut((message) => {
    sent.push(message)
    if (message.type === 'picture') pictureSent.resolve()
  }, fakes.openSink)
})
afterEach(() => videoOut.close())

const output = (id: string, lines: number | null = null): VideoOutput => {
  return { id, lines, target: { kind: 'recording', folder: id } }
}

function show(timeMs: number): GreyPicture {
  const picture = aGreyPicture({ timeMs, width: 320, height: 180 })
  videoOut.show(picture, [])
  picture.decoded.release()
  return picture
}

test('every output gets the picture, and its state is sent', async () => {
  videoOut.attach(output('own'))
  videoOut.attach(output('small', 360))
  show(0)
  await Promise.all(fakes.sinks.map((sink) => sink.until(1)))
  fakes.sinks[1]!.setState('sending', null)
  expect(sent).toContainEqual({ type: 'output', outputId: 'small', state: 'sending', sentence: null })
  await videoOut.detach('small')
  expect(fakes.sinks.map(({ isClosed }) => isClosed)).toEqual([false, true])
})

test('only the last picture is held, and none when it is closed', async () => {
  expect(videoOut.isEmpty).toBe(true)
  const [first, second] = [show(0), show(40)]
  expect([videoOut.isEmpty, first.holders(), second.holders()]).toEqual([false, 0, 1])
  await videoOut.close()
  expect(second.holders()).toBe(0)
})

test('with a notice the last picture is shown again at once, later than before', async () => {
  videoOut.attach(output('own'))
  show(1_000)
  const [sink] = fakes.sinks
  await sink!.until(1)
  videoOut.setNotice('Paused')
  await sink!.until(2)
  videoOut.setNotice(undefined)
  const [first, second] = sink!.written
  expect(second!.ptsMs).toBeGreaterThan(first!.ptsMs)
})

test('the feed has a picture while somebody looks, and nothing is made for nobody', async () => {
  show(0)
  expect(sent).toEqual([])
  videoOut.setFeedWanted(true)
  show(40)
  await pictureSent.promise
  const [picture] = sent
  expect(picture?.type === 'picture' && [...picture.jpeg.subarray(0, 2)]).toEqual([0xff, 0xd8])
})
