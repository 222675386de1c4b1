const SECRET_NAMES: ReadonlySet<string> = new Set(['api_key', 'token', 'password', 'secret', 'code'])

// Texts may be serialized JSON: a backslash and what it escapes go together, or masking would break the line.
const PARAMETER = /([?&])([^=&#\s"'\\]+)=(?:\\.|[^&#\s"'\\])*/g
/** To the last `@`, since cameras' passwords are seldom encoded: they hold `@` and `/`. */
const USERINFO_PASSWORD = /(\b[a-z][a-z0-9+.-]*:\/\/[^/?#\s:@"\\]*):(?:\\.|[^\s"\\])*@/gi
/** Also right after an escaped newline, whose `n` is no part of the word. */
const API_KEY = /(?:(?<![A-Za-z0-9_-])|(?<=\\(?:[bfnrt]|u[0-9a-f]{4})))ak_[A-Za-z0-9_-]{8,}/g

/** Hides keys, tokens and passwords in a URL or in any text that may hold URLs, for whatever is shown or logged. */
export function maskSecrets(text: string): string {
  return text
    .replace(PARAMETER, (parameter: string, separator: string, name: string) =>
      SECRET_NAMES.has(decoded(name).toLowerCase()) ? `${separator}${name}=***` : parameter,
    )
    .replace(USERINFO_PASSWORD, '$1:***@')
    .replace(API_KEY, 'ak_***')
}

/** The server takes `api%5Fkey` for `api_key`, and so must we. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
