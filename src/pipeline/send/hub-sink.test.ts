import { afterEach, beforeEach, expect, test } from 'vitest'
import { codedH264 } from '../../../test/builders/coded-pictures.ts'
import { startRtspServer, type TestRtspServer } from '../../../test/support/rtsp-server.ts'
import { splitByStartCodes } from '../../media/rtp/annex-b.ts'
import { createHubPackets } from './hub-packets.ts'
import { createHubSink } from './hub-sink.ts'
import { type CodedPicture, type Sink } from './sink.ts'

const data = codedH264({ width: 64, height: 64, chroma: 1, depth: 8, references: 1, pictures: 1 })
const picture = (ptsMs: number, isKeyframe = true): CodedPicture => {
  return { data, nalUnits: splitByStartCodes(data), ptsMs, isKeyframe }
}

let server: TestRtspServer
let states: string[]
let onState: (state: string) => void
beforeEach(async () => {
  server = await startRtspServer()
  states = []
  onState = () => {}
})
afterEach(() => server.close())

function open(path: string): Sink {
  return createHubSink(`rtsp://127.0.0.1:${server.port}/${path}`, createHubPackets(), (state, sentence) => {
    states.push(`${state} ${sentence}`)
    onState(state)
  })
}
const reached = (wanted: string) => new Promise<void>((resolve) => (onState = (state) => state === wanted && resolve()))

test('it connects at the first keyframe, and is live from the next on', async () => {
  const sink = open('ada/out?api_key=key-of-ada')
  sink.write(picture(0, false))
  expect(states).toEqual([])
  const sending = reached('sending')
  sink.write(picture(40))
  await sending
  sink.write(picture(80))
  await server.until((hub) => hub.list().some(({ path, isLive }) => path === 'ada/out' && isLive))
  expect(states).toEqual(['connecting null', 'sending null'])
  await sink.close()
  await server.until((hub) => hub.list().every(({ path }) => path !== 'ada/out'))
})

test('a refusal is reported, and closing does not wait for the next attempt', async () => {
  const sink = open('eve/out?api_key=key-of-ada')
  const waiting = reached('waiting')
  sink.write(picture(0))
  await waiting
  expect(states[1]).toMatch(/^waiting The media server does not take it: /)
  await sink.close()
})

test('a media server that goes is reported', async () => {
  const sink = open('ada/out?api_key=key-of-ada')
  const sending = reached('sending')
  sink.write(picture(0))
  await sending
  const waiting = reached('waiting')
  await server.close()
  await waiting
  expect(states.at(-1)).toMatch(/^waiting The media server is gone: /)
  await sink.close()
  server = await startRtspServer()
})
