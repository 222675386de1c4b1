/**
 * Credentials that were right before, and whose they are: they have turns beside those of strangers. They give no right; whether
 * one still counts is looked up each time.
 */
export interface KnownCredentials {
  ownerOf(credential: string | undefined): string | undefined
  /** It was right just now. */
  add(credential: string, owner: string): void
}

/** Ours are shorter; where anybody may watch, whatever is shown is right. */
const MAX_LENGTH = 200
const MAX_KNOWN = { ofOwner: 1_000, ofAll: 20_000 }

/** Of each owner, and of all, those that were shown longest ago are forgotten first. */
export function createKnownCredentials(max = MAX_KNOWN): KnownCredentials {
  const owners = new Map<string, string>()
  const credentialsOf = new Map<string, Set<string>>()

  function remove(credential: string): void {
    const owner = owners.get(credential)
    if (owner === undefined) return
    owners.delete(credential)
    const credentials = credentialsOf.get(owner)!
    credentials.delete(credential)
    if (credentials.size === 0) credentialsOf.delete(owner)
  }

  return {
    ownerOf: (credential) => (credential === undefined ? undefined : owners.get(credential)),
    add(credential, owner) {
      if (credential.length > MAX_LENGTH) return
      remove(credential)
      owners.set(credential, owner)
      const own = credentialsOf.get(owner) ?? new Set()
      credentialsOf.set(owner, own.add(credential))
      if (own.size > max.ofOwner) remove(first(own))
      if (owners.size > max.ofAll) remove(first(owners.keys()))
    },
  }
}

function first(credentials: Iterable<string>): string {
  const [credential] = credentials
  return credential!
}
