import { useEffect } from 'preact/hooks'
import { Frame } from './frame/frame.tsx'
import { lazyPage } from './frame/lazy-page.tsx'
import { SignInPage } from './frame/sign-in-page.tsx'
import { LivePage } from './live/live-page.tsx'
import { ProcessPage } from './live/process-page.tsx'
import { route, signInCodeOf } from './route.ts'
import { resume, whoami } from './session.ts'
import { SourcesPage } from './sources/sources-page.tsx'

/** The map comes with a library of its own: it is loaded when it is first looked at. */
const MapPage = lazyPage(async () => (await import('./map/map-page.tsx')).MapPage)

export function App() {
  const { page, id } = route.value
  const code = signInCodeOf(route.value)
  useEffect(() => {
    if (!code) void resume()
  }, [])
  // A link may be pasted into a page that is open already, and be another user's.
  useEffect(() => {
    if (code) whoami.value = null
  }, [code])
  if (whoami.value === undefined) return null
  if (whoami.value === null) return <SignInPage />
  return (
    <Frame>
      {page === 'map' ? (
        <MapPage />
      ) : page === 'sources' ? (
        <SourcesPage />
      ) : id ? (
        <ProcessPage key={id} processId={id} />
      ) : (
        <LivePage />
      )}
    </Frame>
  )
}
