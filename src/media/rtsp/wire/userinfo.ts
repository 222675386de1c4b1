import { percentDecoded } from '../../../core/url-text.ts'

export interface RtspCredentials {
  readonly username: string
  readonly password: string
}

/** What stands before the `@` of a URL; without a colon it is the user alone. */
export function parseUserinfo(text: string): RtspCredentials {
  const [username = '', ...password] = text.split(':')
  return { username: percentDecoded(username), password: percentDecoded(password.join(':')) }
}
