import { writeAmf0 } from '../../src/media/rtmp/wire/amf0-writer.ts'
import { type AmfValue } from '../../src/media/rtmp/wire/amf0.ts'
import { MESSAGE } from '../../src/media/rtmp/wire/message.ts'
import * as flv from '../builders/flv-tags.ts'
import { clientMessage } from '../support/rtmp-client.ts'

/** What well-behaved clients send after the handshake: the seeds that are then mutated. */
export function validSessions(): Buffer[] {
  const connect = command('connect', 1, { app: 'admin', tcUrl: 'rtmp://127.0.0.1/admin?api_key=K', objectEncoding: 0 })
  const begin = [connect, command('releaseStream', 2, null, 'cam'), command('createStream', 3, null)]
  const metadata = { videocodecid: 7, audiocodecid: 10, width: 640, height: 360, encoder: 'x' }
  const publish = [...begin, command('publish', 4, null, 'cam?api_key=K', 'live')]
  const data = clientMessage(MESSAGE.dataAmf0, writeAmf0('@setDataFrame', 'onMetaData', metadata))

  const h264 = [video(flv.avcConfigurationTag(), 0), audio(flv.aacConfigurationTag(), 0)]
  const h265 = [video(flv.enhancedTag('hvc1', 0, flv.hvcC(), true), 0)]
  const annexB = [video(flv.avcConfigurationTag(), 0)]
  for (let i = 0; i < 12; i++) {
    const [key, key265] = [flv.idr(i, 400), flv.idr265(i, 400)]
    const units = i % 6 === 0 ? [flv.H264.delimiter, flv.H264.sei, key] : [flv.predicted(i, 200)]
    const units265 = i % 6 === 0 ? [key265] : [flv.predicted265(i, 200)]
    h264.push(video(flv.avcFrameTag(flv.withLengths(units), { isKeyframe: i % 6 === 0, compositionMs: 40 }), i * 40))
    h264.push(audio(flv.aacFrameTag(Buffer.alloc(30, i)), i * 40 + 5))
    h265.push(video(flv.enhancedTag('hvc1', 3, flv.withLengths(units265), i % 6 === 0), i * 40))
    annexB.push(video(flv.avcFrameTag(flv.withStartCodes(units)), 0x1000000 + i * 40))
  }
  const control = [
    clientMessage(MESSAGE.setChunkSize, Buffer.of(0, 0, 0, 200), 0, 0),
    clientMessage(MESSAGE.windowAcknowledgementSize, Buffer.of(0, 0, 1, 0), 0, 0),
    clientMessage(MESSAGE.userControl, Buffer.of(0, 6, 0, 0, 0, 1), 0, 0),
    clientMessage(MESSAGE.setChunkSize, Buffer.of(0, 0, 0, 128), 0, 0),
  ]
  const end = [command('FCUnpublish', 9, null, 'cam'), command('deleteStream', 10, null, 1)]
  const play = [...begin, command('play', 4, null, 'live', -2000)]
  const pause = [command('pause', 0, null, true, 0), command('pause', 0, null, false, 0)]

  return [
    [...publish, data, ...h264, ...end],
    [...control, ...publish, data, ...h265, ...end],
    [...publish, ...annexB, ...end, ...publish.slice(-1), ...annexB],
    [...play, ...control, ...pause, ...end],
    [...begin, ...control, ...play.slice(-1), ...begin],
  ].map((messages) => Buffer.concat(messages))
}

function command(name: string, transactionId: number, ...values: readonly AmfValue[]): Buffer {
  return clientMessage(MESSAGE.commandAmf0, writeAmf0(name, transactionId, ...values), 0, name === 'connect' ? 0 : 1)
}

const video = (tag: Buffer, timestamp: number) => clientMessage(MESSAGE.video, tag, timestamp)
const audio = (tag: Buffer, timestamp: number) => clientMessage(MESSAGE.audio, tag, timestamp)
