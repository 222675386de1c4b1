import { type ProcessInfo, type SourceRecord } from '@aerie/client'

/** How a source is, in one word. */
export function stateOf(source: SourceRecord, process: ProcessInfo | undefined): string {
  const { type, status, connection } = source
  if (connection?.state === 'lost') return 'lost'
  if (process?.state === 'waiting') return 'waiting'
  if (status !== 'unknown') return status
  // A file is just there: that nobody knows whether it sends would only puzzle.
  return type === 'file' ? 'file' : (connection?.state ?? status)
}

/** Otherwise a start is refused: nothing is being published, or the camera was called in vain just now. */
export function mayStartNow({ connection }: SourceRecord): boolean {
  return connection?.state !== 'offline' && connection?.state !== 'lost'
}
