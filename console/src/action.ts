import { type Signal, useSignal } from '@preact/signals'
import { sentenceOf } from './ask.ts'

export interface Action {
  readonly problem: Signal<string>
  readonly isBusy: Signal<boolean>
  /** Does it, then reports that something has changed. Does nothing while something else is being done. */
  readonly act: (work: () => Promise<unknown>) => Promise<void>
}

/**
 * What a button does: one thing at a time, and the service's own words when it refuses. Meanwhile the button stays as it is: one
 * that is disabled loses the focus, and who works by keyboard their place.
 */
export function useAction(onChange?: () => Promise<void>): Action {
  const isBusy = useSignal(false)
  const problem = useSignal('')

  async function act(work: () => Promise<unknown>): Promise<void> {
    if (isBusy.peek()) return
    isBusy.value = true
    problem.value = ''
    try {
      await work()
      await onChange?.()
    } catch (error) {
      problem.value = sentenceOf(error)
    } finally {
      isBusy.value = false
    }
  }
  return { problem, isBusy, act }
}
