import { useSignal } from '@preact/signals'
import { type ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'

/** A page whose code comes when it is first shown. */
export function lazyPage(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | undefined
  return function LazyPage() {
    const problem = useSignal('')
    const isThere = useSignal(loaded !== undefined)
    useEffect(() => {
      if (loaded) return
      load().then(
        (page) => {
          loaded = page
          isThere.value = true
        },
        () => (problem.value = 'This page could not be loaded; reload it.'),
      )
    }, [])
    const Page = loaded
    if (isThere.value && Page) return <Page />
    return <p role="status">{problem.value || 'Loading …'}</p>
  }
}
