import { useEffect } from 'preact/hooks'
import { ContactsPage } from './contacts/contacts-page.tsx'
import { Frame } from './frame/frame.tsx'
import { lazyPage } from './frame/lazy-page.tsx'
import { OtherUserPage } from './frame/other-user-page.tsx'
import { SignInPage } from './frame/sign-in-page.tsx'
import { SignInQuestion } from './frame/sign-in-question.tsx'
import { LivePage } from './live/live-page.tsx'
import { ProcessPage } from './live/process-page.tsx'
import { NodesPage } from './nodes/nodes-page.tsx'
import { route, signInCodeOf } from './route.ts'
import { otherUser, recheck, resume, whoami } from './session.ts'
import { SourcesPage } from './sources/sources-page.tsx'
import { SystemPage } from './system/system-page.tsx'

/** The map comes with a library of its own: it is loaded when it is first looked at. */
const MapPage = lazyPage(async () => (await import('./map/map-page.tsx')).MapPage)

export function App() {
  const { page, id } = route.value
  const code = signInCodeOf(route.value)
  useEffect(() => void resume(), [])
  // The cookie is the whole browser's: on return to this page another account may be signed in.
  useEffect(() => {
    const look = () => void (document.hidden || recheck())
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  if (otherUser.value) return <OtherUserPage who={otherUser.value} />
  if (whoami.value === undefined) return null
  if (whoami.value === null) return <SignInPage />
  if (code) return <SignInQuestion key={code} code={code} username={whoami.value.username} />
  return (
    <Frame key={whoami.value.username}>
      {page === 'map' ? (
        <MapPage />
      ) : page === 'sources' ? (
        <SourcesPage />
      ) : page === 'contacts' ? (
        <ContactsPage />
      ) : page === 'system' ? (
        <SystemPage />
      ) : page === 'nodes' ? (
        <NodesPage chosen={id} />
      ) : id ? (
        <ProcessPage key={id} processId={id} />
      ) : (
        <LivePage />
      )}
    </Frame>
  )
}
