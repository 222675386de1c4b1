import { openRtmpPublisher, type RtmpPublisher } from '../../src/media/rtmp/client/publisher.ts'
import { type RtmpClientOptions } from '../../src/media/rtmp/client/session.ts'

/** A publisher on its way to a receiver on this machine. */
export function openPublisherTo(port: number, options: Partial<RtmpClientOptions> = {}): Promise<RtmpPublisher> {
  const connect = { host: '127.0.0.1' }
  return openRtmpPublisher(`rtmp://127.0.0.1:${port}/live/stream-key`, { connect, ...options })
}

/** The sentence of a failure. */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => new Error('It went well.'),
    (reason: Error) => reason,
  )
  return error.message
}
