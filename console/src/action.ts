import { type Signal, useSignal } from '@preact/signals'
import { sentenceOf } from './ask.ts'

export interface Action {
  readonly isBusy: Signal<boolean>
  readonly problem: Signal<string>
  /** Does it, then tells that something has changed. */
  readonly act: (work: () => Promise<unknown>) => Promise<void>
}

/** What a button does: one thing at a time, and the service's own words when it refuses. */
export function useAction(onChange: () => Promise<void>): Action {
  const isBusy = useSignal(false)
  const problem = useSignal('')

  async function act(work: () => Promise<unknown>): Promise<void> {
    isBusy.value = true
    problem.value = ''
    try {
      await work()
      await onChange()
    } catch (error) {
      problem.value = sentenceOf(error)
    } finally {
      isBusy.value = false
    }
  }
  return { isBusy, problem, act }
}
