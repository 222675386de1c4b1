import { type DetectionMessage } from '../../src/processes/detection-message.ts'
import { type StatusMessage } from '../../src/processes/status-message.ts'

/** A client of `…/events` that keeps everything it receives. */
export interface EventListener {
  readonly events: { readonly id: number; readonly data: DetectionMessage }[]
  /** That the minutes of the key run out. */
  readonly warnings: unknown[]
  /** How it went with the process. */
  readonly statuses: StatusMessage[]
  /** Resolves with what the last event says, when the process has ended. */
  readonly ended: Promise<unknown>
}

export async function listenToEvents(baseUrl: string, processId: string, key: string): Promise<EventListener> {
  const response = await fetch(`${baseUrl}/process/${processId}/events`, { headers: { api_key: key } })
  if (response.headers.get('content-type') !== 'text/event-stream') throw new Error(await response.text())
  const events: EventListener['events'] = []
  const warnings: unknown[] = []
  const statuses: StatusMessage[] = []

  async function read(): Promise<unknown> {
    let rest = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop()!
      for (const block of blocks) {
        const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
        const data: unknown = JSON.parse(fields.get('data') ?? 'null')
        if (fields.get('event') === 'end') return data
        if (fields.get('event') === 'minutes-low') warnings.push(data)
        else if (fields.get('event') === 'status') statuses.push(data as StatusMessage)
        else events.push({ id: Number(fields.get('id')), data: data as DetectionMessage })
      }
    }
    throw new Error('The events ended without a last word.')
  }
  const ended = read()
  ended.catch(() => {})
  return { events, warnings, statuses, ended }
}
