import { expect, test } from 'vitest'
import { pushAll } from '../../../../test/support/chunk-messages.ts'
import { H264, avcC, idr, predicted } from '../../../../test/builders/flv-tags.ts'
import { readAmf0 } from '../wire/amf0-reader.ts'
import { createChunkParser } from '../wire/chunk-parser.ts'
import { OUTGOING_CHUNK_SIZE } from '../wire/chunk-writer.ts'
import { setChunkSize } from '../wire/control-messages.ts'
import { parseVideoTag } from '../wire/flv-video.ts'
import { MESSAGE, type RtmpMessage } from '../wire/message.ts'
import { splitNalUnits } from '../wire/nal-units.ts'
import { createVideoSender, type EncodedPicture } from './video-sender.ts'

const { sps, pps, otherSps, delimiter, sei } = H264
const key = (id: number, ptsMs: number, sets = [sps, pps]): EncodedPicture => ({
  nalUnits: [delimiter, ...sets, sei, idr(id)],
  ptsMs,
  isKeyframe: true,
})
const delta = (id: number, ptsMs: number): EncodedPicture => ({
  nalUnits: [delimiter, predicted(id)],
  ptsMs,
  isKeyframe: false,
})

function createRig() {
  const parser = createChunkParser()
  pushAll(parser, setChunkSize(OUTGOING_CHUNK_SIZE))
  const messages: RtmpMessage[] = []
  const outbox = {
    isBehind: false,
    isRelaxed: true,
    hasRoomFor: () => true,
    send: (...buffers: readonly Buffer[]) => (messages.push(...pushAll(parser, Buffer.concat(buffers))), true),
    finish: () => {},
  }
  return { outbox, sender: createVideoSender(outbox, 1), taken: () => messages.splice(0).map(say) }
}

/** A message as this test sees it. */
function say({ typeId, timestamp, payload, streamId }: RtmpMessage): unknown {
  expect(streamId).toBe(1)
  if (typeId === MESSAGE.dataAmf0) return readAmf0(payload)
  const tag = parseVideoTag(payload)
  if (tag.kind === 'configuration') return { configuration: tag.data, timestamp }
  if (tag.kind !== 'frame') throw new Error(`There is a tag of ${tag.kind}.`)
  const { isKeyframe, compositionMs, data } = tag
  return { isKeyframe, compositionMs, timestamp, nalUnits: splitNalUnits(data, 4) }
}

const frame = (timestamp: number, ...nalUnits: Buffer[]) =>
  expect.objectContaining({ timestamp, compositionMs: 0, nalUnits }) as unknown

test('metadata, configuration, then the pictures without sets and delimiters, from time 0', () => {
  const { sender, taken } = createRig()
  sender.write(key(1, 7_000.4))
  sender.write(delta(2, 7_040.4))
  sender.write(key(3, 7_080.4))
  expect(taken()).toEqual([
    ['@setDataFrame', 'onMetaData', { width: 1920, height: 1080, videocodecid: 7, encoder: 'Aerie' }],
    { configuration: avcC(), timestamp: 0 },
    frame(0, sei, idr(1)),
    frame(40, predicted(2)),
    frame(80, sei, idr(3)),
  ])
})

test('sets that change are sent before the picture that needs them', () => {
  const { sender, taken } = createRig()
  sender.write(key(1, 0))
  taken()
  sender.write(key(2, 40, [otherSps, pps]))
  expect(taken()).toEqual([
    ['@setDataFrame', 'onMetaData', expect.objectContaining({ width: 640 })],
    { configuration: avcC(otherSps), timestamp: 40 },
    frame(40, sei, idr(2)),
  ])
})

test('it begins with a keyframe whose sets are known', () => {
  const { sender, taken } = createRig()
  sender.write(delta(1, 0))
  sender.write(key(2, 40, []))
  sender.write(delta(3, 80))
  expect(taken()).toEqual([])
  sender.write(key(4, 120))
  expect(taken()).toHaveLength(3)
  expect(sender.droppedPictures).toBe(0)
})

test('who falls behind misses all up to the keyframe at which there is room again', () => {
  const { sender, outbox, taken } = createRig()
  sender.write(key(1, 0))
  taken()
  Object.assign(outbox, { isBehind: true, isRelaxed: false })
  sender.write(delta(2, 40))
  outbox.isBehind = false
  sender.write(delta(3, 80))
  sender.write(key(4, 120))
  outbox.isRelaxed = true
  sender.write(delta(5, 160))
  expect(taken()).toEqual([])
  sender.write(key(6, 200))
  sender.write(delta(7, 240))
  expect(taken()).toEqual([frame(200, sei, idr(6)), frame(240, predicted(7))])
  expect(sender.droppedPictures).toBe(4)
})

test('a picture for which there is no room is dropped whole', () => {
  const { sender, outbox, taken } = createRig()
  sender.write(key(1, 0))
  outbox.hasRoomFor = () => false
  sender.write(delta(2, 40))
  outbox.hasRoomFor = () => true
  sender.write(delta(3, 80))
  expect(taken()).toHaveLength(3)
  expect(sender.droppedPictures).toBe(2)
})

test('time never goes back, and goes on from where it was', () => {
  const { sender, taken } = createRig()
  for (const [id, ptsMs] of [1_000, 1_040, 500, 540].entries()) sender.write(key(id, ptsMs))
  const times = taken().flatMap((said) => (said as { timestamp?: number }).timestamp ?? [])
  expect(times).toEqual([0, 0, 40, 40, 80])
})

test('a picture without a slice is none', () => {
  const { sender, taken } = createRig()
  sender.write(key(1, 0))
  taken()
  sender.write({ nalUnits: [delimiter, sps, pps, Buffer.alloc(0)], ptsMs: 40, isKeyframe: false })
  sender.write({ nalUnits: [], ptsMs: 80, isKeyframe: true })
  expect(taken()).toEqual([])
})

test('a picture of several hundred kilobytes arrives whole', () => {
  const { sender, taken } = createRig()
  sender.write({ nalUnits: [sps, pps, idr(1, 500_000)], ptsMs: 0, isKeyframe: true })
  const { nalUnits } = taken()[2] as { nalUnits: Buffer[] }
  expect(nalUnits.map((unit) => unit.equals(idr(1, 500_000)))).toEqual([true])
})
