import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { isNotFound, sentenceOf } from './ask.ts'

export interface Polled<Data> {
  /** Undefined before the first answer. */
  readonly data: Signal<Data | undefined>
  readonly problem: Signal<string>
  /** Asks at once, as after a change. */
  readonly refresh: () => Promise<void>
}

/** Asks again and again while the component is there and the page is looked at; what isn't there is never asked for again. */
export function usePolled<Data>(load: () => Promise<Data>, everyMs: number): Polled<Data> {
  const data = useSignal<Data | undefined>(undefined)
  const problem = useSignal('')
  const current = useRef(load)
  current.current = load
  const isOver = useRef(false)

  async function refresh(): Promise<void> {
    try {
      data.value = await current.current()
      problem.value = ''
    } catch (error) {
      problem.value = sentenceOf(error)
      isOver.current = isNotFound(error)
    }
  }

  useEffect(() => {
    let isGone = false
    let timer = 0
    const round = async () => {
      if (!document.hidden) await refresh()
      if (!isGone && !isOver.current) timer = window.setTimeout(() => void round(), everyMs)
    }
    void round()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [everyMs])
  return { data, problem, refresh }
}
