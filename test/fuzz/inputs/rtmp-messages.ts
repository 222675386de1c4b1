import { writeAmf0 } from '../../../src/media/rtmp/wire/amf0-writer.ts'
import { type AmfValue } from '../../../src/media/rtmp/wire/amf0.ts'
import { MESSAGE } from '../../../src/media/rtmp/wire/message.ts'
import * as flv from '../../builders/flv-tags.ts'
import { clientMessage } from '../../support/rtmp-client.ts'
import { writeEdgeNumber } from '../edge-numbers.ts'
import { mutateOrder } from '../mutate-order.ts'
import { mutate } from '../mutate.ts'
import { type Random } from '../random.ts'

/** What a side says first: its version, its time, and bytes of no meaning, both times (RTMP 1.0 §5.2). */
export const GREETING = Buffer.concat([Buffer.of(3), Buffer.alloc(8), Buffer.alloc(1528 + 1536, 0x41)])

export function command(name: string, transactionId: number, ...values: readonly AmfValue[]): Buffer {
  return clientMessage(MESSAGE.commandAmf0, writeAmf0(name, transactionId, ...values), 0, name === 'connect' ? 0 : 1)
}

const video = (tag: Buffer, timestamp: number) => clientMessage(MESSAGE.video, tag, timestamp)
const audio = (tag: Buffer, timestamp: number) => clientMessage(MESSAGE.audio, tag, timestamp)
const isKey = (at: number) => at % 6 === 0

export function h264Messages(pictures = 12): Buffer[] {
  const messages = [video(flv.avcConfigurationTag(), 0), audio(flv.aacConfigurationTag(), 0)]
  for (let at = 0; at < pictures; at++) {
    const units = isKey(at) ? [flv.H264.delimiter, flv.H264.sei, flv.idr(at, 400)] : [flv.predicted(at, 200)]
    const tag = flv.avcFrameTag(flv.withLengths(units), { isKeyframe: isKey(at), compositionMs: 40 })
    messages.push(video(tag, at * 40), audio(flv.aacFrameTag(Buffer.alloc(30, at)), at * 40 + 5))
  }
  return messages
}

export function h265Messages(pictures = 12): Buffer[] {
  const messages = [video(flv.enhancedTag('hvc1', 0, flv.hvcC(), true), 0)]
  for (let at = 0; at < pictures; at++) {
    const units = [isKey(at) ? flv.idr265(at, 400) : flv.predicted265(at, 200)]
    messages.push(video(flv.enhancedTag('hvc1', 3, flv.withLengths(units), isKey(at)), at * 40))
  }
  return messages
}

/** As encoders do it that know nothing of lengths, with times beyond 24 bits. */
export function annexBMessages(pictures = 12): Buffer[] {
  const messages = [video(flv.avcConfigurationTag(), 0)]
  for (let at = 0; at < pictures; at++) {
    const units = isKey(at) ? [flv.H264.sps, flv.H264.pps, flv.idr(at, 400)] : [flv.predicted(at, 200)]
    messages.push(video(flv.avcFrameTag(flv.withStartCodes(units)), 0x1000000 + at * 40))
  }
  return messages
}

/** A picture and a sound in one message (RTMP 1.0 §7.1.6). */
export function aggregateMessage(): Buffer {
  const tags = [
    flv.flvTag(MESSAGE.video, flv.avcFrameTag(flv.withLengths([flv.predicted(1)])), 500),
    flv.flvTag(MESSAGE.audio, flv.aacFrameTag(Buffer.alloc(9)), 510),
  ]
  return clientMessage(MESSAGE.aggregate, Buffer.concat(tags), 500)
}

export function controlMessages(): Buffer[] {
  return [
    clientMessage(MESSAGE.setChunkSize, Buffer.of(0, 0, 0, 200), 0, 0),
    clientMessage(MESSAGE.windowAcknowledgementSize, Buffer.of(0, 0, 1, 0), 0, 0),
    clientMessage(MESSAGE.userControl, Buffer.of(0, 6, 0, 0, 0, 1), 0, 0),
    clientMessage(MESSAGE.abort, Buffer.of(0, 0, 0, 4), 0, 0),
    clientMessage(MESSAGE.setChunkSize, Buffer.of(0, 0, 0, 128), 0, 0),
  ]
}

export function metadataMessage(...before: readonly string[]): Buffer {
  const metadata = { videocodecid: 7, audiocodecid: 10, width: 640, height: 360, encoder: 'x' }
  return clientMessage(MESSAGE.dataAmf0, writeAmf0(...before, 'onMetaData', metadata))
}

/** The messages in another order, some of them changed: in their header, in the first bytes of what they carry, or anywhere. */
export function mutateMessages(messages: readonly Buffer[], random: Random): Buffer[] {
  return mutateOrder(messages, random).map((message) => {
    if (!random.oneIn(10)) return message
    if (random.oneIn(2)) return mutate(message, random)
    const copy = Buffer.from(message)
    // Chunk stream, time, length, type and stream (§5.3.1), and the tag behind them.
    const { at, width } = random.pick([
      { at: 0, width: 1 },
      { at: 1, width: 3 },
      { at: 4, width: 3 },
      { at: 7, width: 1 },
      { at: 8, width: 4 },
      { at: 12 + random.below(12), width: 1 },
      { at: 12 + random.below(12), width: 4 },
    ] as const)
    writeEdgeNumber(copy, at, width, random)
    return copy
  })
}
