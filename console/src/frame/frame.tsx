import { type ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type PageName, pages, route } from '../route.ts'
import { signOut, whoami } from '../session.ts'
import { focusMain } from './focus-main.ts'
import { MinutesNotice } from './minutes-notice.tsx'

const titles: Readonly<Record<PageName, string>> = {
  live: 'Live',
  map: 'Map',
  sources: 'Sources',
  contacts: 'Contacts',
  system: 'System',
  nodes: 'Nodes',
}
/** The machines are the business of those who run them. */
const isShown = (name: PageName) => !['system', 'nodes'].includes(name) || whoami.value?.is_master === true

/** What is around every page. */
export function Frame({ children }: { children: ComponentChildren }) {
  const { page, id } = route.value
  const isFirst = useRef(true)
  const current = page === 'sign-in' ? 'live' : page
  useEffect(() => {
    document.title = `${titles[current]} – Aerie`
  }, [current, id])
  // Another page begins at its beginning, by keyboard and for screen readers too.
  useEffect(() => {
    if (!isFirst.current) focusMain()
    isFirst.current = false
  }, [current, id])

  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the page
      </a>
      <header class="frame">
        <span class="brand">Aerie</span>
        <nav aria-label="Pages">
          {pages.filter(isShown).map((name) => (
            <a key={name} href={`#/${name}`} aria-current={name === current ? 'page' : undefined}>
              {titles[name]}
            </a>
          ))}
        </nav>
        <span class="who">{whoami.value?.username}</span>
        <button class="quiet" type="button" onClick={() => void signOut()}>
          Sign out
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        <MinutesNotice />
        {children}
      </main>
    </>
  )
}

/** Without changing the address, where the page's name stands. */
function skipToMain(event: Event): void {
  event.preventDefault()
  focusMain()
}
