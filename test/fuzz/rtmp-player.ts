import { Duplex } from 'node:stream'
import { setImmediate as nextRound } from 'node:timers/promises'
import { createHub } from '../../src/media/hub.ts'
import { playerRole } from '../../src/media/rtmp/client/player.ts'
import { parseRtmpAddress } from '../../src/media/rtmp/client/rtmp-address.ts'
import { RtmpClientError } from '../../src/media/rtmp/client/server-sentence.ts'
import { beginSession } from '../../src/media/rtmp/client/session.ts'
import { createMessageDemuxer } from '../../src/media/rtmp/demux/message-demuxer.ts'
import { writeAmf0 } from '../../src/media/rtmp/wire/amf0-writer.ts'
import { type AmfValue } from '../../src/media/rtmp/wire/amf0.ts'
import { MESSAGE } from '../../src/media/rtmp/wire/message.ts'
import { createTimeSlice } from '../../src/media/time-slice.ts'
import * as flv from '../builders/flv-tags.ts'
import { CLIENT_GREETING, clientMessage } from '../support/rtmp-client.ts'
import { mutate, pieces } from './mutate.ts'
import { createRandom, type Random } from './random.ts'

const ADDRESS = parseRtmpAddress('rtmp://host/live/cam')
const ANYBODY = { credentials: { kind: 'none' }, remoteAddress: '127.0.0.1', protocol: 'rtmp' } as const
/** Answers in memory come at once or never. */
const ANSWER_MS = 100
const HANG_MS = 5_000

/**
 * Plays from servers whose answers and streams are mutated, in memory, one after the other. Throws when one makes the player fail by
 * anything but a sentence, or hang; the message has the seed with which `fuzzRtmpPlayer(0, seed)` repeats that session.
 */
export async function fuzzRtmpPlayer(seconds: number, seed: number): Promise<void> {
  const endsAt = performance.now() + seconds * 1000
  for (let current = seed; current === seed || performance.now() < endsAt; current++) {
    try {
      await playOnce(createRandom(current))
    } catch (error) {
      throw new Error(`The session of seed ${current} went wrong.`, { cause: error })
    }
  }
}

async function playOnce(random: Random): Promise<void> {
  const socket = new Duplex({ read: () => undefined, write: (_data, _encoding, done) => done() })
  let timer: NodeJS.Timeout | undefined
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It did not end.')), HANG_MS)
  })
  try {
    await Promise.race([Promise.all([play(socket), serve(socket, random)]), hang])
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

async function play(socket: Duplex): Promise<void> {
  const hub = createHub({ authorize: async () => ({ principal: 'p' }), onEvent: () => undefined })
  const publication = await hub.publish('admin/cam', ANYBODY)
  const log = { info: () => undefined, warn: () => undefined }
  const slice = createTimeSlice({ maxSteps: 256, maxMs: 5 })
  const demuxer = createMessageDemuxer({ publication, slice, log, now: Date.now })
  try {
    const role = playerRole({ silenceMs: ANSWER_MS, sink: (message) => demuxer.handle(message) })
    const player = await beginSession(socket, ADDRESS, role, { timeouts: { answerMs: ANSWER_MS }, slice })
    await new Promise<string>((resolve) => player.onEnd(resolve))
    await player.close()
  } catch (error) {
    if (!(error instanceof RtmpClientError)) throw error
  } finally {
    publication.close()
  }
}

/** Each answer goes out when the player has had its turn to ask. */
async function serve(socket: Duplex, random: Random): Promise<void> {
  const victim = random.below(20)
  for (const [step, bytes] of session().entries()) {
    // Most of what can go wrong lies behind the answers.
    const isMutated = step === 3 ? victim > 2 : step === victim
    for (const piece of pieces(isMutated ? mutate(bytes, random) : bytes, random)) socket.push(piece)
    for (let rounds = 0; rounds < 4; rounds++) await nextRound()
  }
  if (random.below(4) > 0) socket.push(null)
}

/** What a well-behaved server sends: the handshake, the answers to three commands, the stream. */
function session(): Buffer[] {
  const command = (...values: readonly AmfValue[]) => clientMessage(MESSAGE.commandAmf0, writeAmf0(...values), 0, 0)
  const status = (level: string, code: string) => command('onStatus', 0, null, { level, code, description: 'x' })
  const media = [status('status', 'NetStream.Play.Start')]
  media.push(clientMessage(MESSAGE.dataAmf0, writeAmf0('onMetaData', { videocodecid: 7, audiocodecid: 10 })))
  media.push(clientMessage(MESSAGE.video, flv.avcConfigurationTag()))
  media.push(clientMessage(MESSAGE.audio, flv.aacConfigurationTag()))
  for (let i = 0; i < 12; i++) {
    const units = i % 6 === 0 ? [flv.H264.delimiter, flv.idr(i, 400)] : [flv.predicted(i, 200)]
    const tag = flv.avcFrameTag(flv.withLengths(units), { isKeyframe: i % 6 === 0, compositionMs: 40 })
    media.push(clientMessage(MESSAGE.video, tag, i * 40))
    media.push(clientMessage(MESSAGE.audio, flv.aacFrameTag(Buffer.alloc(30, i)), i * 40 + 5))
  }
  const inside = Buffer.concat([
    flv.flvTag(MESSAGE.video, flv.avcFrameTag(flv.withLengths([flv.predicted(1)])), 500),
    flv.flvTag(MESSAGE.audio, flv.aacFrameTag(Buffer.alloc(9)), 510),
  ])
  media.push(
    clientMessage(MESSAGE.aggregate, inside, 500),
    clientMessage(MESSAGE.windowAcknowledgementSize, Buffer.of(0, 0, 1, 0), 0, 0),
    clientMessage(MESSAGE.userControl, Buffer.of(0, 6, 0, 0, 0, 1), 0, 0),
    clientMessage(MESSAGE.setChunkSize, Buffer.of(0, 0, 0, 128), 0, 0),
    status('status', 'NetStream.Play.UnpublishNotify'),
  )
  return [
    CLIENT_GREETING,
    command('_result', 1, {}, { level: 'status', code: 'NetConnection.Connect.Success' }),
    command('_result', 2, null, 1),
    Buffer.concat(media),
  ]
}
