import { expect, test } from 'vitest'
import { createDeferred } from '../../core/deferred.ts'
import { type VideoTarget } from '../../core/video-output.ts'
import { createHeldSinks } from './held-sinks.ts'
import { createHubPackets } from './hub-packets.ts'
import { type CodedPicture } from './sink.ts'

const elsewhere: VideoTarget = { kind: 'rtmp', url: 'rtmp://host/app/name' }
const picture = {} as CodedPicture

function setUp(isHeld = false, closed: Promise<void> = Promise.resolve()) {
  const events: string[] = []
  let opened = 0
  const sinks = createHeldSinks((target, _hubPackets, onState) => {
    const name = `${target.kind} ${++opened}`
    events.push(`open ${name}`)
    onState('sending', null)
    return {
      write: () => void events.push(`write ${name}`),
      close() {
        events.push(`close ${name}`)
        onState('waiting', 'The connection was closed.')
        return closed
      },
    }
  }, isHeld)
  const open = (target: VideoTarget) =>
    sinks.openSink(target, createHubPackets(), (state, sentence) => events.push(sentence ? `${state}, why` : state))
  return { events, sinks, open }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('what leads to another server is closed while it is held, and opened anew afterwards', async () => {
  const { events, sinks, open } = setUp()
  const sink = open(elsewhere)
  await settled()
  sink.write(picture)
  sinks.setHeld(true)
  sink.write(picture)
  sinks.setHeld(false)
  await settled()
  sink.write(picture)
  await sink.close()
  sinks.setHeld(true)
  expect(events).toEqual([
    'open rtmp 1',
    'sending',
    'write rtmp 1',
    'close rtmp 1',
    'waiting, why',
    'open rtmp 2',
    'sending',
    'write rtmp 2',
    'close rtmp 2',
  ])
})

test('what is attached meanwhile says why nothing is sent, and begins afterwards', async () => {
  const { events, sinks, open } = setUp(true)
  open(elsewhere)
  await settled()
  expect(events).toEqual(['waiting, why'])
  sinks.setHeld(false)
  await settled()
  expect(events).toEqual(['waiting, why', 'open rtmp 1', 'sending'])
})

test('nothing is opened before the connection of before is gone, nor after the end', async () => {
  const closed = createDeferred<void>()
  const { events, sinks, open } = setUp(false, closed.promise)
  const sink = open(elsewhere)
  await settled()
  sinks.setHeld(true)
  sinks.setHeld(false)
  await settled()
  expect(events.filter((event) => event.startsWith('open'))).toEqual(['open rtmp 1'])
  const ended = sink.close()
  closed.resolve()
  await ended
  await settled()
  expect(events.filter((event) => event.startsWith('open'))).toEqual(['open rtmp 1'])
})

test.each<VideoTarget>([
  { kind: 'hub', path: 'ann/out' },
  { kind: 'recording', folder: '/video' },
])('what stays on this machine goes on: $kind', async (target) => {
  const { events, sinks, open } = setUp()
  const sink = open(target)
  sinks.setHeld(true)
  sink.write(picture)
  expect(events.at(-1)).toBe(`write ${target.kind} 1`)
})
