import { type Scene } from '../core/scene.ts'
import { toDetectionMessage } from './detection-message.ts'
import { type Process } from './process.ts'

/** Somebody who listens to one process. */
export interface FeedClient {
  /** A message as JSON; the same text goes to everyone. */
  take(message: string, sequence: number): void
  /** The process has ended: nothing more comes. */
  end(process: Process): void
}

/** What the processes see, for whoever listens. Costs nothing while nobody does. */
export interface DetectionFeed {
  onScene(process: Process, scene: Scene): void
  onEnd(process: Process): void
  /** Returns the function that ends the listening. */
  listen(processId: string, client: FeedClient): () => void
  countClients(processId: string): number
}

interface Channel {
  sequence: number
  readonly clients: Set<FeedClient>
}

export function createDetectionFeed(): DetectionFeed {
  const channels = new Map<string, Channel>()

  function channelOf(processId: string): Channel {
    const channel = channels.get(processId) ?? { sequence: 0, clients: new Set() }
    channels.set(processId, channel)
    return channel
  }

  return {
    onScene(process, scene) {
      const channel = channelOf(process.id)
      channel.sequence += 1
      if (channel.clients.size === 0) return
      const message = JSON.stringify(toDetectionMessage(process, scene, channel.sequence))
      for (const client of channel.clients) client.take(message, channel.sequence)
    },
    onEnd(process) {
      const channel = channels.get(process.id)
      channels.delete(process.id)
      for (const client of channel?.clients ?? []) client.end(process)
    },
    listen(processId, client) {
      const { clients } = channelOf(processId)
      clients.add(client)
      return () => void clients.delete(client)
    },
    countClients: (processId) => channels.get(processId)?.clients.size ?? 0,
  }
}
