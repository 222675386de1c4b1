/** The header for credentials that stand in an address, if any do. */
export function basicAuth({ username, password }: URL): { authorization?: string } {
  if (!username && !password) return {}
  const credentials = `${decoded(username)}:${decoded(password)}`
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/** A lone `%` in a password is meant as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
