import { openRtmpPlayer, type RtmpPlayer, type RtmpPlayerOptions } from '../../src/media/rtmp/client/player.ts'
import { type RtmpMessage } from '../../src/media/rtmp/wire/message.ts'
import { listen, receive, type ReceiverHabit, type ReceiverPeer } from './rtmp-receiver.ts'

/** A player on its way to a server on this machine, and what it got. */
export function openPlayerTo(
  port: number,
  options: Partial<RtmpPlayerOptions> = {},
): { readonly messages: RtmpMessage[]; readonly opening: Promise<RtmpPlayer> } {
  const messages: RtmpMessage[] = []
  const opening = openRtmpPlayer(`rtmp://127.0.0.1:${port}/live/stream-key`, {
    connect: { host: '127.0.0.1' },
    silenceMs: 5_000,
    sink: (message) => void messages.push(message),
    ...options,
  })
  return { messages, opening }
}

/** A server on a port that does what the test says, and the clients that connected. */
export async function startServer(habit?: ReceiverHabit): Promise<{ port: number; peers: readonly ReceiverPeer[] }> {
  const peers: ReceiverPeer[] = []
  return { peers, port: await listen((socket) => peers.push(receive(socket, habit))) }
}

export const endOf = (player: RtmpPlayer) => new Promise<string>((resolve) => player.onEnd(resolve))
