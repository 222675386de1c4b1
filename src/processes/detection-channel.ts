import { type Scene } from '../core/scene.ts'
import { toDetectionMessage } from './detection-message.ts'
import { type Process } from './process.ts'

/** Somebody who listens to one process. */
export interface DetectionClient {
  /** A message as JSON; the same text goes to everyone. */
  take(message: string, sequence: number): void
  /** The process has ended: nothing more comes. */
  end(process: Process): void
}

/** What the processes see, for whoever listens. Costs nothing while nobody does. */
export interface DetectionChannel {
  onScene(process: Process, scene: Scene): void
  onEnd(process: Process): void
  /** Returns the function that ends the listening. */
  listen(processId: string, client: DetectionClient): () => void
  countClients(processId: string): number
}

interface Audience {
  sequence: number
  readonly clients: Set<DetectionClient>
}

export function createDetectionChannel(): DetectionChannel {
  const audiences = new Map<string, Audience>()

  function audienceOf(processId: string): Audience {
    const audience = audiences.get(processId) ?? { sequence: 0, clients: new Set() }
    audiences.set(processId, audience)
    return audience
  }

  return {
    onScene(process, scene) {
      const audience = audienceOf(process.id)
      audience.sequence += 1
      if (audience.clients.size === 0) return
      const message = JSON.stringify(toDetectionMessage(process, scene, audience.sequence))
      for (const client of audience.clients) client.take(message, audience.sequence)
    },
    onEnd(process) {
      const audience = audiences.get(process.id)
      audiences.delete(process.id)
      for (const client of audience?.clients ?? []) client.end(process)
    },
    listen(processId, client) {
      const { clients } = audienceOf(processId)
      clients.add(client)
      return () => void clients.delete(client)
    },
    countClients: (processId) => audiences.get(processId)?.clients.size ?? 0,
  }
}
