import { type LivePublisher, type PublishedProcess } from '../core/live-publishing.ts'

/** Notifications of one alert at one process for who listens live: each once, whatever the outputs, and as these are sent it. */
export interface LiveCopies {
  /** It is on its way to the outputs; the same number again is the same one. */
  note(type: string, sequence: number, body: string): void
  /** Those that were noted are on disk for the outputs. */
  publish(): void
}

export function createLiveCopies(
  process: PublishedProcess,
  { publishNotification }: Pick<LivePublisher, 'publishNotification'>,
): LiveCopies {
  const noted = new Map<number, { readonly type: string; readonly body: string }>()

  return {
    note(type, sequence, body) {
      if (publishNotification) noted.set(sequence, { type, body })
    },
    publish() {
      for (const { type, body } of noted.values()) publishNotification!(process, type, body)
      noted.clear()
    },
  }
}
