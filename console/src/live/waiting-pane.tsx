import { type ProcessInfo } from '@aerie/client'
import { waitingWords } from './waiting-words.ts'

/** In the place of a picture that is yet to come. */
export function WaitingPane({ process }: { process: ProcessInfo }) {
  return <p class="pane waiting">{waitingWords(process)}</p>
}
