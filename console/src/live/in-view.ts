import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals'
import { type RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { isLookedAt } from '../looked-at.ts'

/** Near enough to be scrolled to in a moment. */
const MARGIN = '200px'

/** Whether an element is on the screen, or nearly so, and the page is looked at. */
export function useInView(element: RefObject<Element | null>): ReadonlySignal<boolean> {
  const isInView = useSignal(false)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => (isInView.value = entries.at(-1)!.isIntersecting), {
      rootMargin: MARGIN,
    })
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [])
  return useComputed(() => isInView.value && isLookedAt.value)
}
