import { type Packet } from 'mqtt'
import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { PINGRESP, PUBACK, publishPacket, PUBREL, repeated } from '../../test/support/hostile-broker.ts'
import { createBrokerBudget, createPacketGuard } from './packet-guard.ts'

function guardOf(isListening = true) {
  const clock = createFakeClock()
  const budget = createBrokerBudget(clock)
  const connect = () => createPacketGuard({ budget, maxPacketBytes: 1024 * 1024, isListening })
  return { clock, connect, guard: connect() }
}

const tiny = publishPacket('t', '')
/** Two bytes of topic length, then the longest topic there is. */
const hugeTopic = publishPacket('t'.repeat(65_535), '')

describe.each([
  ['PINGRESP', repeated(PINGRESP, 21)],
  ['PUBACK', repeated(PUBACK, 21)],
  ['PUBREL', repeated(PUBREL, 21)],
])('%s that nobody asked for', (_name, load) => {
  test('end the connection at a small count, and the next one too', async () => {
    const { clock, connect, guard } = guardOf()
    expect(() => guard.cut(load)).toThrow('sends more than it is asked for')
    expect(() => connect().cut(load)).toThrow('sends more than it is asked for')
    await clock.advance(20_000)
    expect(() => connect().cut(load.subarray(0, (load.length / 21) * 19))).not.toThrow()
  })
})

test('a message for every five hundredth of a second, and thousands that were retained, are taken', async () => {
  const { clock, guard } = guardOf()
  guard.cut(Buffer.concat(Array<Buffer>(5_000).fill(tiny)))
  for (let second = 0; second < 20; second++) {
    guard.cut(Buffer.concat(Array<Buffer>(500).fill(tiny)))
    await clock.advance(1_000)
  }
})

test.each([
  ['messages without end', Buffer.concat(Array<Buffer>(10_001).fill(tiny)), 'more than 2000 messages a second'],
  ['topics of 64 kB without end', Buffer.concat(Array<Buffer>(1_025).fill(hugeTopic)), 'bytes a second'],
  ['one of 256 MB', Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]), 'a message of more than 1048576 bytes'],
])('%s end the connection', (_name, load, sentence) => {
  expect(() => guardOf().guard.cut(load)).toThrow(sentence)
})

test.each([
  ['a message that wants a receipt', publishPacket('t', 'id', 0b0010), 'want a receipt'],
  ['one that wants two, and has no id', publishPacket('t', '', 0b0100), 'want a receipt'],
  ['a PUBREL without an id', Buffer.of(0x62, 0), 'is not MQTT'],
  ['a PUBREC with half an id', Buffer.of(0x50, 1, 0), 'is not MQTT'],
  ['a PUBACK whose length is written at length', Buffer.of(0x40, 0x81, 0x80, 0, 0), 'is not MQTT'],
])('%s ends the connection', (_name, load, sentence) => {
  expect(() => guardOf().guard.cut(load)).toThrow(sentence)
})

test('where we listen to nothing, the first message does', () => {
  expect(() => guardOf(false).guard.cut(tiny)).toThrow('sends messages that nobody asked for')
})

test.each([
  [{ cmd: 'pingreq' }, [PINGRESP]],
  [{ cmd: 'publish', qos: 1 }, [PUBACK]],
  [
    { cmd: 'publish', qos: 2 },
    [
      [0x50, 2, 0, 1],
      [0x70, 2, 0, 1],
    ],
  ],
  [{ cmd: 'subscribe' }, [[0x90, 3, 0, 1, 0]]],
  [{ cmd: 'unsubscribe' }, [[0xb0, 2, 0, 1]]],
])('answers to %j are taken, however many there are', (sent, answers) => {
  const { guard } = guardOf()
  for (let times = 0; times < 1_000; times++) {
    guard.expectAnswer(sent as Packet)
    for (const answer of answers) guard.cut(Buffer.from(answer))
  }
})
