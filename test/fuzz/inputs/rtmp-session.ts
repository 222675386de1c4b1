import { mutate } from '../mutate.ts'
import { type Random } from '../random.ts'
import {
  aggregateMessage,
  annexBMessages,
  command,
  controlMessages,
  GREETING,
  h264Messages,
  h265Messages,
  metadataMessage,
  mutateMessages,
} from './rtmp-messages.ts'

const MAX_BYTES = 256 * 1024

/** What well-behaved clients send after the handshake. */
const SESSIONS = validSessions()

/** A client’s whole connection, a publisher’s or a reader’s, with messages that are changed, moved or missing. */
export function rtmpSession(random: Random): Buffer {
  // Most of what can go wrong lies behind the handshake.
  const greeting = random.oneIn(20) ? mutate(GREETING, random) : GREETING
  const session = Buffer.concat([greeting, ...mutateMessages(random.pick(SESSIONS), random)])
  return (random.oneIn(6) ? mutate(session, random) : session).subarray(0, MAX_BYTES)
}

function validSessions(): Buffer[][] {
  const connect = command('connect', 1, { app: 'admin', tcUrl: 'rtmp://127.0.0.1/admin?api_key=K', objectEncoding: 0 })
  const begin = [connect, command('releaseStream', 2, null, 'cam'), command('createStream', 3, null)]
  const publish = [...begin, command('publish', 4, null, 'cam?api_key=K', 'live')]
  const play = [...begin, command('play', 4, null, 'live', -2000)]
  const pause = [command('pause', 0, null, true, 0), command('pause', 0, null, false, 0)]
  const end = [command('FCUnpublish', 9, null, 'cam'), command('deleteStream', 10, null, 1)]
  const control = controlMessages()
  return [
    [...publish, metadataMessage('@setDataFrame'), ...h264Messages(), ...end],
    [...control, ...publish, metadataMessage('@setDataFrame'), ...h265Messages(), aggregateMessage(), ...end],
    [...publish, ...annexBMessages(), ...end, ...publish.slice(-1), ...annexBMessages()],
    [...play, ...control, ...pause, ...end],
    [...begin, ...control, ...play.slice(-1), ...begin],
  ]
}
