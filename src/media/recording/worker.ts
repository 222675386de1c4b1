import { serveParent } from '../../supervise/child-entry.ts'
import { type FromRecorder, type ToRecorder } from '../messages.ts'
import { record } from './record.ts'

/** A recording's process. Ends when the stream does, or when it is asked to, with everything written. */
const stopping = new AbortController()
let recording: Promise<void> = Promise.resolve()

const parent = serveParent<ToRecorder, FromRecorder>(
  (request) => {
    recording = record(request, stopping.signal, (message) => parent.send(message)).then(
      () => leave(undefined),
      (error: unknown) => leave((error as Error).message),
    )
  },
  async () => {
    stopping.abort()
    await recording
  },
)

/** Whether another worker is needed is for the parent to say: it knows whether the stream is still there. */
async function leave(sentence: string | undefined): Promise<void> {
  await parent.flush({ type: 'ended', sentence })
  process.exit(sentence === undefined ? 0 : 1)
}
