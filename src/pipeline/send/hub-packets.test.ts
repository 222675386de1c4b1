import { expect, test } from 'vitest'
import { createHubPackets } from './hub-packets.ts'

const unit = Buffer.from([0x65, 1, 2, 3])
const picture = (ptsMs: number) => ({ data: unit, nalUnits: [unit], ptsMs, isKeyframe: true })

test('a picture is packed once, however many paths get it', () => {
  const { pack } = createHubPackets()
  const one = picture(1_000)
  const packed = pack(one)
  expect(pack(one)).toBe(packed)
  expect(packed).toMatchObject({ timestamp: 90_000, packets: 1 })
  // RFC 2326 §10.12: a dollar, the channel and the length stand before each packet.
  expect([...packed.frames.subarray(0, 2)]).toEqual([0x24, 0])
})

test.each([
  { name: 'begins anew after 2³² ticks', ptsMs: 2 ** 32 / 90 + 1_000, timestamp: 90_000 },
  { name: 'has a place before zero', ptsMs: -1_000, timestamp: 2 ** 32 - 90_000 },
])('the timestamp $name', ({ ptsMs, timestamp }) => {
  expect(createHubPackets().pack(picture(ptsMs)).timestamp).toBe(timestamp)
})
