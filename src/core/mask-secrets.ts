const SECRET_PARAMETERS = /([?&](?:api_key|token|password|secret|code)=)[^&#\s"']*/gi
const USERINFO_PASSWORD = /(\b[a-z][a-z0-9+.-]*:\/\/[^/?#\s:@]*):[^/?#\s@]*@/gi
const API_KEY = /\bak_[A-Za-z0-9_-]{8,}/g

/** Hides keys, tokens and passwords in a URL or in any text that may hold URLs, for whatever is shown or logged. */
export function maskSecrets(text: string): string {
  return text.replace(SECRET_PARAMETERS, '$1***').replace(USERINFO_PASSWORD, '$1:***@').replace(API_KEY, 'ak_***')
}
