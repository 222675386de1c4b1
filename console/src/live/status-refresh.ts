import { type ProcessInfo } from '@aerie/client'
import { useEffect, useRef } from 'preact/hooks'
import { isNews, type StatusMessage } from './status-message.ts'

/** Several change together, as when a link is lost: they are asked for once. */
const TOGETHER_MS = 100

/** What to do with a status that comes: all is asked for at once when a process is not as it is shown. */
export function useStatusRefresh(refresh: () => Promise<void>): (status: StatusMessage, shown: ProcessInfo) => void {
  const timer = useRef<number | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (status, shown) => {
    if (!isNews(status, shown)) return
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined
      void refresh()
    }, TOGETHER_MS)
  }
}
