import { AerieError, unwrap } from '@aerie/client'
import { signal } from '@preact/signals'
import { requestsSettled } from './pending-requests.ts'
import { api, root } from './service.ts'

export interface Whoami {
  readonly username: string
  readonly is_master: boolean
}

/** The account that is signed in; null when none is, undefined while that is not known yet. */
export const whoami = signal<Whoami | null | undefined>(undefined)
/** Why somebody who was signed in is not any more. */
export const signOutReason = signal('')
/** The account that has the browser's session now, when it was taken over while this page showed somebody else's things. */
export const otherUser = signal<Whoami | null>(null)

/** All tabs share one cookie: signing in or out in one of them does it for the others. */
const otherTabs = new BroadcastChannel(`aerie-session ${root}`)
otherTabs.onmessage = ({ data }: MessageEvent<Whoami | null>) => {
  if (!whoami.value && !otherUser.value) return
  if (data !== null) return replaceBy(data)
  otherUser.value = null
  signedOut('You signed out in another tab; sign in again.')
}

/** Finds out whether the browser's cookie is still good. */
export async function resume(): Promise<void> {
  // Before the first sign-in the account is not asked for: that would be a failed request.
  if (!hasSignedIn()) return void (whoami.value = null)
  try {
    whoami.value = await unwrap(api.GET('/session'))
  } catch (error) {
    if (isSessionOver(error)) return signedOut(signOutReasonOf(error))
    signOutReason.value = error instanceof AerieError ? error.message : 'The service does not answer; reload the page.'
    whoami.value = null
  }
}

/** Finds out whether the browser's cookie is still that of whom this page was made for. */
export async function recheck(): Promise<void> {
  if (!whoami.value) return
  try {
    const who = await unwrap(api.GET('/session'))
    if (whoami.value) replaceBy(who)
  } catch (error) {
    if (whoami.value && isSessionOver(error)) signedOut(signOutReasonOf(error))
  }
}

/** What is shown and half filled in belongs to one user; another must neither see it nor send it off. */
function replaceBy(who: Whoami): void {
  if (who.username === whoami.value?.username) return
  otherUser.value = who
  whoami.value = null
}

export async function signIn(credential: { api_key: string } | { code: string }): Promise<void> {
  const { username, is_master } = await unwrap(api.POST('/session', { body: credential }))
  localStorage.setItem(MARK, 'yes')
  signOutReason.value = ''
  whoami.value = { username, is_master }
  otherTabs.postMessage(whoami.value)
}

/** Whoever signs out means now: what takes longer is not waited for. */
const MAX_ANSWER_MS = 2_000

export async function signOut(): Promise<void> {
  // The pages go first, and what they have asked for is answered, so that nothing is refused.
  whoami.value = undefined
  await requestsSettled(MAX_ANSWER_MS)
  const isAnswered = await unwrap(api.DELETE('/session')).then(
    () => true,
    (error: unknown) => error instanceof AerieError,
  )
  if (isAnswered) otherTabs.postMessage(null)
  signedOut(isAnswered ? '' : 'The service does not answer: this browser’s session is still open there.')
}

export function signedOut(why: string): void {
  localStorage.removeItem(MARK)
  signOutReason.value = why
  whoami.value = null
}

const sessionCodes = ['session-ended', 'api-key-missing', 'api-key-expired']

/** Whether it was refused because nobody is signed in any more. */
export const isSessionOver = (error: unknown): error is AerieError =>
  error instanceof AerieError && sessionCodes.includes(error.code)

/** Of a missing session the service speaks as to programmers; of anything else, such as an expired key, it knows why. */
export const signOutReasonOf = ({ code, message }: AerieError) =>
  ['session-ended', 'api-key-missing'].includes(code) ? 'You are signed out; sign in again.' : message

/** Says only that there was a session, never anything of it. */
const MARK = 'aerie-signed-in'
export const hasSignedIn = () => localStorage.getItem(MARK) !== null
