import { serveParent } from '../../supervise/child-entry.ts'
import { type FromRecorder, type ToRecorder } from '../messages.ts'
import { record } from './record.ts'

/** A recording's process. Ends when the stream does, or when it is asked to, with everything written. */
const stopping = new AbortController()
let recording: Promise<void> = Promise.resolve()

const parent = serveParent<ToRecorder, FromRecorder>(
  (request) => {
    recording = record(request, stopping.signal, (message) => parent.send(message)).then(
      () => parent.send({ type: 'ended', sentence: undefined }),
      (error: unknown) => parent.send({ type: 'ended', sentence: (error as Error).message }),
    )
  },
  async () => {
    stopping.abort()
    await recording
  },
)
