import { writeAmf0 } from '../../../src/media/rtmp/wire/amf0-writer.ts'
import { type AmfValue } from '../../../src/media/rtmp/wire/amf0.ts'
import { MESSAGE } from '../../../src/media/rtmp/wire/message.ts'
import { clientMessage } from '../../support/rtmp-client.ts'
import { mutate } from '../mutate.ts'
import { type Random } from '../random.ts'
import {
  aggregateMessage,
  controlMessages,
  GREETING,
  h264Messages,
  metadataMessage,
  mutateMessages,
} from './rtmp-messages.ts'

const MAX_BYTES = 256 * 1024

/** What a server says to somebody who plays: the handshake, the answers to two commands, the stream. One of them is changed. */
export function rtmpServerAnswers(random: Random): Buffer[] {
  const steps = [
    [GREETING],
    [answer('_result', 1, {}, { level: 'status', code: 'NetConnection.Connect.Success' })],
    [answer('_result', 2, null, 1)],
    [
      status('status', 'NetStream.Play.Start'),
      metadataMessage(),
      ...h264Messages(),
      aggregateMessage(),
      ...controlMessages(),
      status('status', 'NetStream.Play.UnpublishNotify'),
    ],
  ]
  // Most of what can go wrong lies behind the answers.
  const changed = random.oneIn(4) ? random.below(3) : 3
  return steps.map((messages, step) => {
    if (step !== changed) return Buffer.concat(messages)
    const bytes = Buffer.concat(step === 0 ? messages : mutateMessages(messages, random))
    return (step < 3 || random.oneIn(3) ? mutate(bytes, random) : bytes).subarray(0, MAX_BYTES)
  })
}

function answer(...values: readonly AmfValue[]): Buffer {
  return clientMessage(MESSAGE.commandAmf0, writeAmf0(...values), 0, 0)
}

function status(level: string, code: string): Buffer {
  return answer('onStatus', 0, null, { level, code, description: 'x' })
}
