import { useEffect } from 'preact/hooks'
import { useAction } from '../action.ts'
import { goInstead } from '../route.ts'
import { signIn } from '../session.ts'
import { Notice } from './notice.tsx'

/**
 * A sign-in link in a browser that is signed in. Anybody can send somebody a link of their own; a user who followed it unasked
 * would work in a stranger's account without noticing. So nothing is exchanged before the answer.
 */
export function SignInQuestion({ code, username }: { code: string; username: string }) {
  const { problem, act } = useAction(async () => goInstead('#/live'))
  useEffect(() => {
    document.title = 'Sign in – Aerie'
  }, [])

  return (
    <main class="sign-in">
      <h1>Aerie</h1>
      <Notice sentence={problem.value} />
      <p>
        You are signed in as <strong>{username}</strong>. This link signs the browser in with the key that it was made
        with, which may be somebody else’s. Use it only if you know who made it.
      </p>
      <button class="primary" type="button" onClick={() => goInstead('#/live')}>
        Stay signed in as {username}
      </button>
      <button type="button" onClick={() => void act(() => signIn({ code }))}>
        Sign in with the link
      </button>
    </main>
  )
}
