import { ffmpegMessage } from '../av/faults.ts'
import { serveParent } from '../supervise/child-entry.ts'
import { type FromWorker, type ToWorker } from './messages.ts'
import { PipelineError } from './pipeline-error.ts'
import { type Pipeline, startPipeline } from './run.ts'
import { createGrantedTurns } from './turns.ts'
import { withShortSentence } from './with-short-sentence.ts'

/**
 * The process of one detection process:
 *
 *   main ──start, commands, end──▶ worker (decode, track, draw, encode) ──pictures──▶ thread (inference)
 *        ◀──running, scene, …────                                      ◀─detections──
 */
const parent = serveParent<ToWorker, FromWorker>(
  (message) => {
    switch (message.type) {
      case 'start':
        return start(message.order)
      case 'turn':
        return turns.onTurn()
      case 'end':
        return void pipeline?.close()
      default:
        return pipeline?.handle(message)
    }
  },
  () => pipeline?.close(),
)
const send = (message: FromWorker) => parent.send(withShortSentence(message))
const turns = createGrantedTurns(send)
let pipeline: Pipeline | undefined

function start(order: Extract<ToWorker, { type: 'start' }>['order']): void {
  pipeline = startPipeline(order, send, turns)
  pipeline.ended.then(
    () => send({ type: 'finished' }),
    (error: unknown) => {
      // What nobody foresaw ends the process, as a crash would: the supervisor starts it again, or gives it up.
      if (!(error instanceof PipelineError)) throw error
      send({
        type: 'failed',
        reason: error.failure,
        sentence: error.message,
        ffmpegMessage: ffmpegMessage(error),
      })
    },
  )
}
