import { join } from 'node:path'
import { type OutboundMessage } from '../../src/core/outbound-message.ts'
import { openSpoolFile } from '../../src/delivery/spool-file.ts'
import { createSpoolIndex, valueOf } from '../../src/delivery/spool-index.ts'
import { type Progress } from '../../src/webhooks/progress.ts'
import { type Notification } from '../../src/webhooks/webhooks.messages.ts'

/** What waits in the spool of a service, of one kind and in its order, as the disk has it. */
export async function readSpoolOnDisk<Value>(dataDir: string, kind: string): Promise<Value[]> {
  const opened = await openSpoolFile(join(dataDir, 'delivery.spool'))
  if (!opened) throw new Error('the spool cannot be read')
  await opened.file.close()
  const index = createSpoolIndex()
  for (const payload of opened.payloads) index.replay(payload)
  return index.list(kind, Infinity).map((entry) => valueOf<Value>(entry))
}

/** The tracks that the spool has for a webhook that gathers: those that are gathered, and those of which a message tells already. */
export async function readGatheredTracks(dataDir: string, url: string): Promise<number[]> {
  const progress = await readSpoolOnDisk<Progress>(dataDir, 'webhook-progress')
  const messages = await readSpoolOnDisk<OutboundMessage>(dataDir, 'message')
  const waiting = progress.flatMap(({ gathered, released }) => [...released, ...(gathered ? [gathered] : [])])
  const notifications = [
    ...waiting.map(({ notification }) => notification),
    ...messages.filter(({ destination }) => destination.kind === 'webhook' && destination.url === url).map(bodyOf),
  ]
  return notifications.flatMap((one) => (one.type === 'new-tracks' ? one.detections.map(({ track_id: id }) => id) : []))
}

const bodyOf = ({ body }: OutboundMessage) => JSON.parse(body) as Notification
