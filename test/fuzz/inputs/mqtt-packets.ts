import { PINGRESP, publishPacket, PUBACK, PUBREL } from '../../support/hostile-broker.ts'
import { edgeNumber } from '../edge-numbers.ts'
import { mutateOrder } from '../mutate-order.ts'
import { mutate } from '../mutate.ts'
import { type Random } from '../random.ts'
import { telemetryMessages } from './telemetry-messages.ts'

const CONNACK = [0x20, 2, 0, 0]
const SUBACK = [0x90, 3, 0, 1, 0]
const DISCONNECT = [0xe0, 0]

/** What a broker sends to somebody who listens: messages of drones and what belongs to them, changed, moved or not of their length. */
export function mqttPackets(random: Random): Buffer {
  const messages = telemetryMessages('native', random).map((message) =>
    publishPacket('drone/1', message.toString('latin1'), random.pick([0, 0, 0, 1, 2, 4, 8])),
  )
  const others = [PINGRESP, PUBACK, PUBREL, CONNACK, SUBACK, DISCONNECT].map((bytes) => Buffer.from(bytes))
  const packets = [...messages, random.pick(others), ...messages.slice(0, 1)]
  const load = Buffer.concat(mutateOrder(packets, random).map((packet) => changed(packet, random)))
  return load.subarray(0, 256 * 1024)
}

function changed(packet: Buffer, random: Random): Buffer {
  switch (random.below(10)) {
    case 0:
      return mutate(packet, random)
    case 1:
      // Its kind, or its length, or that of the topic.
      return withByte(packet, random.pick([0, 0, 1, 2, 3]), edgeNumber(random, 8))
    case 2:
      return Buffer.concat([Buffer.of(random.below(16) << 4), random.bytes(random.below(6)), packet])
    default:
      return packet
  }
}

function withByte(packet: Buffer, at: number, byte: number): Buffer {
  const copy = Buffer.from(packet)
  if (at < copy.length) copy[at] = byte
  return copy
}
