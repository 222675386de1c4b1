import { useEffect } from 'preact/hooks'
import { type Whoami } from '../session.ts'

/** Stands in place of a page whose user is not the one any more whom the browser is signed in as. */
export function OtherUserPage({ who }: { who: Whoami }) {
  useEffect(() => {
    document.title = 'Signed in as another – Aerie'
  }, [])

  return (
    <main class="sign-in">
      <h1>Aerie</h1>
      <p role="alert">
        This browser is signed in as <strong>{who.username}</strong> now, from another tab. What was shown here was
        somebody else’s.
      </p>
      <button class="primary" type="button" onClick={() => location.reload()}>
        Go on as {who.username}
      </button>
    </main>
  )
}
