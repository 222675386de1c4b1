import { createClient, unwrap } from '@aerie/client'
import { signal } from '@preact/signals'

export interface Whoami {
  readonly username: string
  readonly is_master: boolean
}

/** Who is signed in; null when nobody is, undefined while that is not known yet. */
export const whoami = signal<Whoami | null | undefined>(undefined)
/** Why somebody who was signed in is not any more. */
export const farewell = signal('')

const client = createClient(new URL('.', location.href.split('#')[0]).href)

/** Finds out whether the browser's cookie is still good. */
export async function resume(): Promise<void> {
  // Asked in a way that is no failed request where nobody has signed in yet.
  whoami.value = hasSignedIn() ? await unwrap(client.GET('/session')).catch(() => null) : null
}

export async function signIn(credential: { api_key: string } | { code: string }): Promise<void> {
  const { username, is_master } = await unwrap(client.POST('/session', { body: credential }))
  localStorage.setItem(MARK, 'yes')
  farewell.value = ''
  whoami.value = { username, is_master }
}

export async function signOut(): Promise<void> {
  await unwrap(client.DELETE('/session')).catch(() => undefined)
  signedOut('')
}

export function signedOut(why: string): void {
  localStorage.removeItem(MARK)
  farewell.value = why
  whoami.value = null
}

/** Says only that there was a session, never anything of it. */
const MARK = 'aerie-signed-in'
const hasSignedIn = () => localStorage.getItem(MARK) !== null
