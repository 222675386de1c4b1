import { type DetectionMessage } from '../../src/processes/detection-message.ts'

/** A client of `…/events` that keeps everything it is told. */
export interface EventListener {
  readonly events: { readonly id: number; readonly data: DetectionMessage }[]
  /** Resolves with what the last event says, when the process has ended. */
  readonly ended: Promise<unknown>
}

export async function listenToEvents(baseUrl: string, processId: string, key: string): Promise<EventListener> {
  const response = await fetch(`${baseUrl}/process/${processId}/events`, { headers: { api_key: key } })
  if (response.headers.get('content-type') !== 'text/event-stream') throw new Error(await response.text())
  const events: EventListener['events'] = []

  async function read(): Promise<unknown> {
    let rest = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop()!
      for (const block of blocks) {
        const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
        const data = JSON.parse(fields.get('data') ?? 'null') as DetectionMessage
        if (fields.get('event') === 'end') return data
        events.push({ id: Number(fields.get('id')), data })
      }
    }
    throw new Error('The events ended without a last word.')
  }
  const ended = read()
  ended.catch(() => {})
  return { events, ended }
}
