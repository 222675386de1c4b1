import { createDeferred } from '../../core/deferred.ts'
import { type Hub } from '../hub.ts'
import { type Reader } from '../publication.ts'
import { openRtspPublisher, type RtspPublisher } from '../rtsp/client/publisher.ts'
import { interleave, mediaChannel, reportChannel } from '../rtsp/wire/interleave.ts'
import { createSenderReports } from '../rtsp/wire/sender-reports.ts'
import { type MediaPacket } from '../stream.ts'
import { nodeConnection } from './node-connection.ts'

export interface PushOptions {
  readonly hub: Pick<Hub, 'readForRelay'>
  readonly path: string
  /** On the node that wants it, with a token. */
  readonly url: string
  readonly signal: AbortSignal
}

/** A stream of ours on its way to another node. */
export interface PushedStream {
  /** Resolves with why, whichever side ended it. */
  readonly ended: Promise<string>
}

/** A first group of more than this would be behind from the start: the other node begins with the next keyframe then. */
const MAX_FIRST_BYTES = 4 * 1024 * 1024

/** Publishes what arrives here to another node, where it is a relay. Resolves when it flows; rejects when it cannot. */
export async function pushStream({ hub, path, url, signal }: PushOptions): Promise<PushedStream> {
  const subscription = await hub.readForRelay(path)
  const publisher = await openRtspPublisher(url, subscription.description, nodeConnection(url, signal))
  const ended = createDeferred<string>()
  const reader = createPushReader(publisher, (reason) => ended.resolve(reason))
  publisher.onEnd((reason) => ended.resolve(reason))
  void ended.promise.then(() => {
    subscription.close()
    return publisher.close()
  })
  try {
    await publisher.record()
    subscription.start(reader)
  } catch (error) {
    ended.resolve((error as Error).message)
    throw error
  }
  return { ended: ended.promise }
}

/** What has come by the end of a round of the event loop is one write. */
function createPushReader(publisher: RtspPublisher, onEnd: (reason: string) => void): Reader {
  const reports = createSenderReports()
  let waiting: MediaPacket[] = []
  let flushing: NodeJS.Immediate | undefined
  let isWaitingForKeyframe = false

  function flush(): void {
    flushing = undefined
    const packets = waiting
    waiting = []
    for (const packet of packets) reports.count(packet)
    const due = reports.take().map(({ track, data }) => ({ channel: reportChannel(track), data }))
    const frames = packets.map(({ track, data }) => ({ channel: mediaChannel(track), data }))
    if (due.length + frames.length > 0) publisher.writeInterleaved(interleave([...due, ...frames]))
  }

  const schedule = () => void (flushing ??= setImmediate(flush))

  return {
    packet(packet) {
      isWaitingForKeyframe &&= !packet.startsKeyframe
      if (isWaitingForKeyframe) return
      waiting.push(packet)
      schedule()
    },
    begin(packets) {
      const bytes = packets.reduce((sum, { data }) => sum + data.length, 0)
      isWaitingForKeyframe = bytes > MAX_FIRST_BYTES
      if (!isWaitingForKeyframe) waiting = waiting.concat(packets)
      schedule()
    },
    report(report) {
      reports.hold(report)
      schedule()
    },
    end(reason) {
      flush()
      onEnd(reason)
    },
  }
}
