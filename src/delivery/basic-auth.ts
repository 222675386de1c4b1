import { percentDecoded } from '../core/url-text.ts'

/** The header for credentials that stand in an address, if any do. */
export function basicAuth({ username, password }: URL): { authorization?: string } {
  if (!username && !password) return {}
  const credentials = `${percentDecoded(username)}:${percentDecoded(password)}`
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}
