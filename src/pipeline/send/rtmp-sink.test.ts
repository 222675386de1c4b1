import { expect, onTestFinished, test } from 'vitest'
import { H264, idr } from '../../../test/builders/flv-tags.ts'
import { closedPort, listen, receive, type ReceiverPeer } from '../../../test/support/rtmp-receiver.ts'
import { createDeferred } from '../../core/deferred.ts'
import { MESSAGE } from '../../media/rtmp/wire/message.ts'
import { OPERATOR_RULES, type OutboundRules } from '../../outbound/rules.ts'
import { createRtmpSink } from './rtmp-sink.ts'
import { type CodedPicture } from './sink.ts'

const nalUnits = [H264.sps, H264.pps, idr(1)]
const keyframe: CodedPicture = { data: Buffer.concat(nalUnits), nalUnits, ptsMs: 0, isKeyframe: true }

function open(port: number, rules: Partial<OutboundRules> = {}) {
  const states: string[] = []
  const settled = createDeferred()
  const sink = createRtmpSink(
    `rtmp://127.0.0.1:${port}/app/name`,
    { ...OPERATOR_RULES, ...rules },
    (state, sentence) => {
      states.push(`${state} ${sentence}`)
      if (state !== 'connecting') settled.resolve()
    },
  )
  onTestFinished(() => sink.close())
  return { sink, states, settled: settled.promise }
}

test('pictures arrive at the server, also at one that listens on a port of our media server', async () => {
  const arrived = createDeferred()
  let peer: ReceiverPeer | undefined
  const port = await listen((socket) => {
    peer = receive(socket)
    socket.on('data', () => peer!.messages.some(({ typeId }) => typeId === MESSAGE.video) && arrived.resolve())
  })
  const { sink, states, settled } = open(port, { mediaPorts: [port] })
  expect(states).toEqual(['connecting null'])
  await settled
  sink.write(keyframe)
  await arrived.promise
  expect(states).toEqual(['connecting null', 'sending null'])
  expect(peer!.commands.map(({ name }) => name)).toContain('publish')
})

test('a server that does not answer is waited for, and closing does not wait with it', async () => {
  const { sink, states, settled } = open(await closedPort())
  sink.write(keyframe)
  await settled
  expect(states.at(-1)).toMatch(/^waiting Nothing answers at /)
  await sink.close()
})

test('a server that may not be called is not', async () => {
  let connections = 0
  const port = await listen(() => void connections++)
  const { states, settled } = open(port, { mayCallThisMachine: false })
  await settled
  expect(states.at(-1)).toMatch(/^waiting /)
  expect(connections).toBe(0)
})
