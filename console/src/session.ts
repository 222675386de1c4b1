import { AerieError, unwrap } from '@aerie/client'
import { signal } from '@preact/signals'
import { api, root } from './service.ts'

export interface Whoami {
  readonly username: string
  readonly is_master: boolean
}

/** Who is signed in; null when nobody is, undefined while that is not known yet. */
export const whoami = signal<Whoami | null | undefined>(undefined)
/** Why somebody who was signed in is not any more. */
export const farewell = signal('')
/** Who has the browser's session now, when it was taken over while this page showed somebody else's things. */
export const successor = signal<Whoami | null>(null)

/** All tabs share one cookie: whoever signs in or out in one of them does it for the others. */
const otherTabs = new BroadcastChannel(`aerie-session ${root}`)
otherTabs.onmessage = ({ data }: MessageEvent<Whoami | null>) => {
  if (!whoami.value && !successor.value) return
  if (data !== null) return yieldTo(data)
  successor.value = null
  signedOut('You signed out in another tab; sign in again.')
}

/** Finds out whether the browser's cookie is still good. */
export async function resume(): Promise<void> {
  // Who has not signed in yet is not asked for: that would be a failed request.
  if (!hasSignedIn()) return void (whoami.value = null)
  try {
    whoami.value = await unwrap(api.GET('/session'))
  } catch (error) {
    if (isSessionOver(error)) return signedOut(farewellOf(error))
    farewell.value = error instanceof AerieError ? error.message : 'The service does not answer; reload the page.'
    whoami.value = null
  }
}

/** Finds out whether the browser's cookie is still that of whom this page was made for. */
export async function recheck(): Promise<void> {
  if (!whoami.value) return
  try {
    const who = await unwrap(api.GET('/session'))
    if (whoami.value) yieldTo(who)
  } catch (error) {
    if (whoami.value && isSessionOver(error)) signedOut(farewellOf(error))
  }
}

/** What is shown and half filled in belongs to one user; another must neither see it nor send it off. */
function yieldTo(who: Whoami): void {
  if (who.username === whoami.value?.username) return
  successor.value = who
  whoami.value = null
}

export async function signIn(credential: { api_key: string } | { code: string }): Promise<void> {
  const { username, is_master } = await unwrap(api.POST('/session', { body: credential }))
  localStorage.setItem(MARK, 'yes')
  farewell.value = ''
  whoami.value = { username, is_master }
  otherTabs.postMessage(whoami.value)
}

export async function signOut(): Promise<void> {
  // The pages go first, so that nothing is asked for that would be refused.
  whoami.value = undefined
  const isAnswered = await unwrap(api.DELETE('/session')).then(
    () => true,
    (error: unknown) => error instanceof AerieError,
  )
  if (isAnswered) otherTabs.postMessage(null)
  signedOut(isAnswered ? '' : 'The service does not answer: this browser’s session is still open there.')
}

export function signedOut(why: string): void {
  localStorage.removeItem(MARK)
  farewell.value = why
  whoami.value = null
}

const sessionCodes = ['session-ended', 'api-key-missing', 'api-key-expired']

/** Whether it was refused because nobody is signed in any more. */
export const isSessionOver = (error: unknown): error is AerieError =>
  error instanceof AerieError && sessionCodes.includes(error.code)

/** Of a missing session the service speaks as to whoever writes programs; of anything else, such as an expired key, it knows why. */
export const farewellOf = ({ code, message }: AerieError) =>
  ['session-ended', 'api-key-missing'].includes(code) ? 'You are signed out; sign in again.' : message

/** Says only that there was a session, never anything of it. */
const MARK = 'aerie-signed-in'
export const hasSignedIn = () => localStorage.getItem(MARK) !== null
