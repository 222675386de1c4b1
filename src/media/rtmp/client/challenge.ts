import { createHash, randomBytes } from 'node:crypto'
import { type RtmpAddress, type RtmpCredentials } from './rtmp-address.ts'
import { RtmpClientError } from './server-sentence.ts'

/**
 * How servers of the field ask who we are: they refuse `connect`, and their description of the refusal says how to answer, which is
 * done on the next connection by a query behind the application's name. Twice: first the user's name, then the answer to a challenge.
 * `adobe` is Adobe's own way, `llnw` HTTP Digest (RFC 2617 §3.2.2) as Limelight puts it. In neither is the password itself sent.
 */

/** Longer descriptions are none of these. */
const MAX_DESCRIPTION = 1024

/**
 * What to put behind the application's name. Undefined when the refusal has nothing to do with this; throws a sentence when no answer
 * would help. `ourNonce` is for tests: else a new one.
 */
export function answerChallenge(
  { label, app, credentials }: Pick<RtmpAddress, 'label' | 'app' | 'credentials'>,
  refusal: string,
  ourNonce = randomBytes(4).toString('hex'),
): string | undefined {
  const description = refusal.slice(0, MAX_DESCRIPTION)
  const method = /authmod=(adobe|llnw)/.exec(description)?.[1]
  if (!method) return undefined
  if (!credentials) {
    throw new RtmpClientError(
      `${label} wants a user name and a password in the address: rtmp://user:password@host/app/name.`,
    )
  }
  const asked = readQuery(description)
  const reason = asked.get('reason')
  if (reason === 'authfailed' || reason === 'nosuchuser') throw wrongCredentials(label)

  const user = `?authmod=${method}&user=${credentials.username}`
  if (reason !== 'needauth') return description.includes('code=403 need auth') ? user : undefined
  return (
    user +
    (method === 'adobe' ? answerAdobe(credentials, asked, ourNonce) : answerLlnw(credentials, asked, ourNonce, app))
  )
}

export const wrongCredentials = (label: string): RtmpClientError =>
  new RtmpClientError(`${label} refuses the user or the password; check both in the address.`)

/** Not as URLs write it: values are in base64, with all its characters. */
function readQuery(description: string): ReadonlyMap<string, string> {
  const query = description.slice(description.indexOf('?') + 1).split(/[\s\]]/)[0]!
  return new Map(
    query.split('&').map((pair) => {
      const at = pair.indexOf('=')
      return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

function answerAdobe(
  { username, password }: RtmpCredentials,
  asked: ReadonlyMap<string, string>,
  ourNonce: string,
): string {
  const opaque = asked.get('opaque') ?? ''
  const secret = md5(username + (asked.get('salt') ?? '') + password, 'base64')
  const response = md5(secret + (opaque || (asked.get('challenge') ?? '')) + ourNonce, 'base64')
  return `&challenge=${ourNonce}&response=${response}${opaque && `&opaque=${opaque}`}`
}

const REALM = 'live'
const NONCE_COUNT = '00000001'

/** The method is `publish`, also for those who play. */
function answerLlnw(
  { username, password }: RtmpCredentials,
  asked: ReadonlyMap<string, string>,
  ourNonce: string,
  app: string,
): string {
  const nonce = asked.get('nonce') ?? ''
  const secret = md5(`${username}:${REALM}:${password}`, 'hex')
  const what = md5(`publish:/${app}${app.includes('/') ? '' : '/_definst_'}`, 'hex')
  const response = md5(`${secret}:${nonce}:${NONCE_COUNT}:${ourNonce}:auth:${what}`, 'hex')
  return `&nonce=${nonce}&cnonce=${ourNonce}&nc=${NONCE_COUNT}&response=${response}`
}

function md5(text: string, encoding: 'base64' | 'hex'): string {
  return createHash('md5').update(text).digest(encoding)
}
