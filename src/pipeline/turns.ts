import { type TurnRequest } from './messages.ts'
import { type PauseSwitch } from './pause.ts'

/** Turns at the model: a machine has fewer cores than workers, and each of them gets its share. */
export interface Turns {
  /** Resolves when its turn has come; at once when the signal is aborted. */
  take(signal: AbortSignal): Promise<void>
  /** The model has done its work. */
  over(): void
}

/** Where nobody else wants the model. */
export const alone: Turns = { take: async () => {}, over: () => {} }

/** Turns that the supervisor grants. */
export interface GrantedTurns extends Turns {
  /** The one that was waited for longest has come. */
  onTurn(): void
}

export function createGrantedTurns(send: (request: TurnRequest) => void): GrantedTurns {
  const waiting: (() => void)[] = []
  return {
    take(signal) {
      if (signal.aborted) return Promise.resolve()
      send({ type: 'turn-wanted' })
      return new Promise((resolve) => {
        const done = () => {
          signal.removeEventListener('abort', done)
          resolve()
        }
        waiting.push(done)
        signal.addEventListener('abort', done)
      })
    },
    over: () => send({ type: 'turn-over' }),
    onTurn: () => waiting.shift()?.(),
  }
}

/** A turn that comes during a pause is for others. */
export async function takeTurn(turns: Turns, pause: PauseSwitch, signal: AbortSignal): Promise<void> {
  for (;;) {
    await pause.resumed()
    await turns.take(signal)
    if (!pause.isPaused) return
    turns.over()
  }
}
