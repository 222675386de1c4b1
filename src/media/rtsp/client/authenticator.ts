import { createHash, randomBytes } from 'node:crypto'
import { type DigestHash, digestHa1, digestResponse } from '../../../core/digest.ts'
import { type RtspCredentials } from '../wire/userinfo.ts'

/** Answers a server's challenges with a user and a password: by Digest where it can, else by Basic. */
export interface Authenticator {
  /** The `Authorization` of a request; undefined until the server has asked for one. */
  authorize(method: string, url: string): string | undefined
  /** Takes the challenges of a 401. False when another try is of no use: the server has refused an answer to its newest nonce. */
  accept(header: string | undefined): boolean
}

/** By strength. A missing algorithm means MD5 (RFC 7616 §3.3). */
const HASHES: Readonly<Record<string, string>> = { 'SHA-256': 'sha256', MD5: 'md5' }

interface Digest {
  readonly parameters: ReadonlyMap<string, string>
  /** Node's name for it. */
  readonly hash: string
  readonly isSession: boolean
  readonly hasQop: boolean
}

type Chosen = { readonly scheme: 'basic' } | ({ readonly scheme: 'digest' } & Digest)

export function createAuthenticator(credentials: RtspCredentials): Authenticator {
  // Bytes as Latin-1 text, as all headers are here, so that what a server wrote is hashed and repeated as it was.
  const [username, password] = [credentials.username, credentials.password].map((text) =>
    Buffer.from(text, 'utf8').toString('latin1'),
  ) as [string, string]
  let chosen: Chosen | undefined
  let nonceCount = 0

  function digest(method: string, url: string, { parameters, hash, isSession, hasQop }: Digest): string {
    const hashOf: DigestHash = (text) => createHash(hash).update(text, 'latin1').digest('hex')
    const [realm = '', nonce = '', opaque] = ['realm', 'nonce', 'opaque'].map((name) => parameters.get(name))
    const algorithm = parameters.get('algorithm')
    const count = (++nonceCount).toString(16).padStart(8, '0')
    const clientNonce = randomBytes(8).toString('hex')
    const secret = digestHa1(username, realm, password, hashOf)
    const ha1 = isSession ? hashOf(`${secret}:${nonce}:${clientNonce}`) : secret
    const qop = hasQop ? { nonceCount: count, clientNonce } : undefined
    const response = digestResponse(ha1, { method, uri: url, nonce, qop }, hashOf)
    const fields = [
      `username=${quote(username)}`,
      `realm=${quote(realm)}`,
      `nonce=${quote(nonce)}`,
      `uri=${quote(url)}`,
      `response="${response}"`,
      ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
      ...(opaque === undefined ? [] : [`opaque=${quote(opaque)}`]),
      ...(hasQop ? ['qop=auth', `nc=${count}`] : []),
      ...(hasQop || isSession ? [`cnonce="${clientNonce}"`] : []),
    ]
    return `Digest ${fields.join(', ')}`
  }

  return {
    authorize(method, url) {
      if (!chosen) return undefined
      if (chosen.scheme === 'digest') return digest(method, url, chosen)
      return `Basic ${Buffer.from(`${username}:${password}`, 'latin1').toString('base64')}`
    },
    accept(header) {
      const next = choose(parseChallenges(header ?? ''))
      // An answer to an old nonce may have been refused for its age only; some servers forget `stale`.
      const wasOld = chosen?.scheme === 'digest' && (nonceCount > 1 || isStale(next))
      if (!next || (chosen && !(wasOld && next.scheme === 'digest'))) return false
      chosen = next
      nonceCount = 0
      return true
    },
  }
}

function choose(challenges: readonly Challenge[]): Chosen | undefined {
  const digests = challenges.flatMap(({ scheme, parameters }) => {
    if (scheme !== 'digest') return []
    const algorithm = (parameters.get('algorithm') ?? 'MD5').toUpperCase()
    const hash = HASHES[algorithm.replace(/-SESS$/, '')]
    const options = parameters
      .get('qop')
      ?.toLowerCase()
      .split(/[\s,]+/)
    // A server that insists on `auth-int` wants bodies signed too, which no camera is known to do.
    if (!hash || (options && !options.includes('auth'))) return []
    return [
      { scheme, parameters, hash, isSession: algorithm.endsWith('-SESS'), hasQop: options !== undefined } as const,
    ]
  })
  const strongest = Object.values(HASHES).flatMap((hash) => digests.filter((digest) => digest.hash === hash))[0]
  return strongest ?? (challenges.some(({ scheme }) => scheme === 'basic') ? { scheme: 'basic' } : undefined)
}

function isStale(chosen: Chosen | undefined): boolean {
  return chosen?.scheme === 'digest' && chosen.parameters.get('stale')?.toLowerCase() === 'true'
}

const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

/** One way in which a server lets clients authenticate (RFC 7235 §2.1). */
interface Challenge {
  /** In lower case. */
  readonly scheme: string
  /** Names in lower case, values without quotes. */
  readonly parameters: ReadonlyMap<string, string>
}

/**
 * Reads `WWW-Authenticate`: `Digest realm="a, b", nonce="c", Basic realm="d"`. Commas part parameters as well as
 * challenges, so a word without `=` behind it begins the next one. What makes no sense is skipped.
 */
export function parseChallenges(header: string): Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = []
  let at = 0

  /** What matches here, which is then behind us. */
  function take(pattern: RegExp): string {
    pattern.lastIndex = at
    const text = pattern.exec(header)?.[0] ?? ''
    at += text.length
    return text
  }

  while (at < header.length) {
    take(/[\s,]*/y)
    const word = take(/[^\s,="]+/y)
    if (!word) {
      at++
      continue
    }
    if (!take(/\s*=\s*/y)) {
      challenges.push({ scheme: word.toLowerCase(), parameters: new Map() })
      continue
    }
    const quoted = take(/"(?:[^"\\]|\\.)*"?/y)
    const value = quoted ? quoted.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1') : take(/[^\s,]*/y)
    challenges.at(-1)?.parameters.set(word.toLowerCase(), value)
  }
  return challenges
}
