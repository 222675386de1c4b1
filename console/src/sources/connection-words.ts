import { type SourceRecord } from '@aerie/client'
import { timeWords } from '../time-words.ts'

type Connection = NonNullable<SourceRecord['connection']>

/** How it goes with a stream, for people. */
export function connectionWords(connection: Connection): string {
  const { state, since, last_error } = connection
  const sinceThen = since === null ? '' : ` since ${timeWords(since)}`
  switch (state) {
    case 'connected':
      return [`Connected${sinceThen}.`, lastErrorWords('Last trouble at', connection)].join(' ').trim()
    case 'offline':
      return 'Nothing is being sent.'
    case 'idle':
      return ['The camera is called when it is needed.', lastErrorWords('Last trouble at', connection)].join(' ').trim()
    case 'connecting':
      return ['Calling the camera …', lastErrorWords('Last trouble at', connection)].join(' ').trim()
    case 'lost':
      return last_error === null
        ? `Lost${sinceThen}; it is called again and again.`
        : `Lost${sinceThen}. ${lastErrorWords('Last tried', connection)}`
  }
}

function lastErrorWords(when: string, { last_error, last_error_at }: Connection): string {
  if (last_error === null) return ''
  return last_error_at === null ? last_error : `${when} ${timeWords(last_error_at)}: ${last_error}`
}
