import { percentDecoded } from './url-text.ts'

/** What holds a secret when it is the name of a parameter: of our own, and of the services that users give us addresses of. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'access_key',
  'access_token',
  'api_key',
  'apikey',
  'auth',
  'auth_token',
  'authorization',
  'bearer',
  'client_secret',
  'code',
  'credential',
  'credentials',
  'jwt',
  'key',
  'pass',
  'passphrase',
  'passwd',
  'password',
  'private_key',
  'pwd',
  'refresh_token',
  'secret',
  'secret_key',
  'session',
  'session_token',
  'sessionid',
  'sig',
  'signature',
  'stream_key',
  'streamkey',
  'token',
  'x_amz_credential',
  'x_amz_security_token',
  'x_amz_signature',
  'x_goog_credential',
  'x_goog_signature',
])
/** Longer names are nobody's. */
const MAX_NAME_LENGTH = 100

// Each pattern begins where it cannot begin again before it has ended, so that every character is looked at a few times at most,
// whatever the text: masking is done for strangers too.

const PARAMETER_NAME = /[?&]([^=?&#\s"'\\]+)=/g
// Texts may be serialized JSON: a backslash and what it escapes go together, or masking would break the line.
const PARAMETER_VALUE = /(?:\\.|[^&#\s"'\\])*/y
const WORD = /(?:\\.|[^\s"\\])+/g
const END_OF_USER = /[/?#:@\\]/g
/** Where a user without a password is a token: NATS's. */
const TOKEN_SCHEME = /(?:^|[^a-z])(?:nats|tls)$/i
/** Also right after an escaped newline, whose `n` is no part of the word. */
const API_KEY = /(?:(?<![A-Za-z0-9_-])|(?<=\\(?:[bfnrt]|u[0-9a-f]{4})))ak_[A-Za-z0-9_-]{8,}/g

/** Hides keys, tokens and passwords in a URL or in any text that may hold URLs, for whatever is shown or logged. */
export function maskSecrets(text: string): string {
  return withoutSecretParameters(text).replace(WORD, withoutPassword).replace(API_KEY, 'ak_***')
}

function withoutSecretParameters(text: string): string {
  let masked = ''
  let done = 0
  for (const match of text.matchAll(PARAMETER_NAME)) {
    const valueAt = match.index + match[0].length
    if (match.index < done || !isSecretName(match[1]!)) continue
    masked += `${text.slice(done, valueAt)}***`
    PARAMETER_VALUE.lastIndex = valueAt
    PARAMETER_VALUE.exec(text)
    done = PARAMETER_VALUE.lastIndex
  }
  return masked + text.slice(done)
}

function isSecretName(name: string): boolean {
  // The server takes `api%5Fkey` for `api_key`, and so must we.
  return name.length <= MAX_NAME_LENGTH && SECRET_NAMES.has(percentDecoded(name).toLowerCase().replaceAll('-', '_'))
}

/** `scheme://user:password@`, to the last `@`, since cameras' passwords are seldom encoded: they hold `@` and `/`. */
function withoutPassword(word: string): string {
  const at = word.lastIndexOf('@')
  for (let scheme = word.indexOf('://'); scheme >= 0 && scheme < at; scheme = word.indexOf('://', scheme + 3)) {
    END_OF_USER.lastIndex = scheme + 3
    const end = END_OF_USER.exec(word)?.index ?? word.length
    if (word[end] === ':' && end < at) return `${word.slice(0, end)}:***${word.slice(at)}`
    if (word[end] === '@' && TOKEN_SCHEME.test(word.slice(Math.max(0, scheme - 5), scheme)))
      return `${word.slice(0, scheme)}://***${word.slice(at)}`
  }
  return word
}
