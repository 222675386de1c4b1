import { useEffect, useRef } from 'preact/hooks'
import { useAction } from '../action.ts'
import { goInstead, route, signInCodeOf } from '../route.ts'
import { hasSignedIn, signIn, signOutReason } from '../session.ts'
import { Notice } from './notice.tsx'

/** Takes a key, or the code of a link; the key goes to the service once and is kept nowhere here. */
export function SignInPage() {
  const { problem, isBusy, act } = useAction(async () => {
    if (route.value.page === 'sign-in') goInstead('#/live')
  })
  const input = useRef<HTMLInputElement>(null)
  const code = signInCodeOf(route.value)

  useEffect(() => {
    document.title = 'Sign in – Aerie'
    // Browsers heed `autofocus` only while the page is loaded, not after signing out.
    input.current!.focus()
  }, [])
  useEffect(() => {
    // While nobody knows whether a session would be replaced, the link waits for a reload of the page.
    if (!code || hasSignedIn()) return
    goInstead('#/sign-in')
    void act(() => signIn({ code }))
  }, [code])

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const key = new FormData(event.currentTarget as HTMLFormElement).get('api_key')
    if (typeof key === 'string' && key.trim()) void act(() => signIn({ api_key: key.trim() }))
  }

  return (
    <main class="sign-in">
      <h1>Aerie</h1>
      <Notice sentence={problem.value || signOutReason.value} />
      <form onSubmit={submit}>
        <label>
          API key
          <input ref={input} name="api_key" type="password" autocomplete="current-password" required maxLength={200} />
        </label>
        <button type="submit" class="primary" aria-disabled={isBusy.value}>
          Sign in
        </button>
      </form>
      <p class="hint">
        Your key is from whoever runs the service, or gave you access; ask there if it is lost. Whoever runs it finds
        the master key in the file <code>master.key</code> in the service’s data folder.
      </p>
    </main>
  )
}
