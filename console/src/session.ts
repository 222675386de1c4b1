import { AerieError, unwrap } from '@aerie/client'
import { signal } from '@preact/signals'
import { api } from './service.ts'

export interface Whoami {
  readonly username: string
  readonly is_master: boolean
}

/** Who is signed in; null when nobody is, undefined while that is not known yet. */
export const whoami = signal<Whoami | null | undefined>(undefined)
/** Why somebody who was signed in is not any more. */
export const farewell = signal('')

/** Finds out whether the browser's cookie is still good. */
export async function resume(): Promise<void> {
  // Who has not signed in yet is not asked for: that would be a failed request.
  if (!hasSignedIn()) return void (whoami.value = null)
  try {
    whoami.value = await unwrap(api.GET('/session'))
  } catch (error) {
    farewell.value = error instanceof AerieError ? farewellOf(error) : 'The service does not answer; reload the page.'
    whoami.value = null
  }
}

export async function signIn(credential: { api_key: string } | { code: string }): Promise<void> {
  const { username, is_master } = await unwrap(api.POST('/session', { body: credential }))
  localStorage.setItem(MARK, 'yes')
  farewell.value = ''
  whoami.value = { username, is_master }
}

export async function signOut(): Promise<void> {
  // The pages go first, so that nothing is asked for that would be refused.
  whoami.value = undefined
  const isAnswered = await unwrap(api.DELETE('/session')).then(
    () => true,
    (error: unknown) => error instanceof AerieError,
  )
  signedOut(isAnswered ? '' : 'The service does not answer: this browser’s session is still open there.')
}

export function signedOut(why: string): void {
  localStorage.removeItem(MARK)
  farewell.value = why
  whoami.value = null
}

/** Of a missing session the service speaks as to whoever writes programs; of anything else, such as an expired key, it knows why. */
export const farewellOf = ({ code, message }: AerieError) =>
  ['session-ended', 'api-key-missing'].includes(code) ? 'You are signed out; sign in again.' : message

/** Says only that there was a session, never anything of it. */
const MARK = 'aerie-signed-in'
const hasSignedIn = () => localStorage.getItem(MARK) !== null
