import { signal } from '@preact/signals'

export const pages = ['live', 'map', 'sources', 'contacts', 'system', 'nodes'] as const
export type PageName = (typeof pages)[number]

export interface Route {
  readonly page: PageName | 'sign-in'
  /** The one thing that is looked at, as in `#/live/<process_uuid>`. */
  readonly id: string | undefined
  readonly query: URLSearchParams
}

/**
 * Where one is stands behind the address's `#`: the service needs no routes for it, it works below any prefix, and what a
 * sign-in link carries there never leaves the browser.
 */
export const route = signal<Route>(parseRoute(location.hash))
addEventListener('hashchange', () => (route.value = parseRoute(location.hash)))

export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?')
  const [name, id] = path.split('/')
  const page = [...pages, 'sign-in' as const].find((one) => one === name) ?? 'live'
  return { page, id: id || undefined, query: new URLSearchParams(search) }
}

/** What a sign-in link carries; null without one. */
export const signInCodeOf = ({ page, query }: Route) => (page === 'sign-in' ? query.get('code') : null)

/** Without a step back: a used sign-in link must not be in the history. */
export function goInstead(hash: string): void {
  history.replaceState(null, '', hash)
  route.value = parseRoute(hash)
}
