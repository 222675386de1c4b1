import { type Signal, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { sentenceOf } from './ask.ts'

export interface Action {
  readonly problem: Signal<string>
  /** Does it, then tells that something has changed. */
  readonly act: (work: () => Promise<unknown>) => Promise<void>
}

/**
 * What a button does: one thing at a time, and the service's own words when it refuses. Meanwhile the button stays as it is: one
 * that is disabled loses the focus, and who works by keyboard their place.
 */
export function useAction(onChange: () => Promise<void>): Action {
  const isBusy = useRef(false)
  const problem = useSignal('')

  async function act(work: () => Promise<unknown>): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    problem.value = ''
    try {
      await work()
      await onChange()
    } catch (error) {
      problem.value = sentenceOf(error)
    } finally {
      isBusy.current = false
    }
  }
  return { problem, act }
}
