import { serveParent } from '../supervise/child-entry.ts'
import { createEnhancer } from './enhancer.ts'
import { type FromEnhancer, type ToEnhancer } from './messages.ts'
import { WeightsError } from './plates/ocr-weights.ts'

/**
 * The enhancement's process: tracks come one after the other, and each gets one answer. Whatever a broken picture does to the
 * decoder, it does it here.
 *
 *   main ──enhance──▶ worker (decode, colours, text detection and recognition)
 *        ◀──enhanced, unusable──
 */
const enhancer = createEnhancer()
let last = Promise.resolve()

const parent = serveParent<ToEnhancer, FromEnhancer>(
  // Main waits for an answer before it asks again; if it does not, its questions wait here for their turn.
  ({ request, track }) => {
    last = last.then(async () => parent.send(await answer(request, track)))
  },
  () => last.then(() => enhancer.close()),
)
parent.send({ type: 'ready' })

async function answer(request: number, track: ToEnhancer['track']): Promise<FromEnhancer> {
  try {
    return { type: 'enhanced', request, enhanced: await enhancer.enhance(track) }
  } catch (error) {
    if (error instanceof WeightsError) return { type: 'unusable', sentence: error.message }
    // What nobody foresaw ends the process, as a crash would: who watches starts it again, or gives up.
    throw error
  }
}
