import { type SourceRecord } from '@aerie/client'
import { timeWords } from '../time-words.ts'

type Connection = NonNullable<SourceRecord['connection']>

/** How it goes with a stream, for people. */
export function connectionWords(connection: Connection): string {
  const { state, since, last_error } = connection
  const sinceThen = since === null ? '' : ` since ${timeWords(since)}`
  const withTrouble = (sentence: string) => `${sentence} ${lastErrorWords('Last trouble at', connection)}`.trim()
  switch (state) {
    case 'connected':
      return withTrouble(`Connected${sinceThen}.`)
    case 'offline':
      return 'Nothing is being sent.'
    case 'idle':
      return withTrouble('The camera is called when it is needed.')
    case 'connecting':
      return withTrouble('Calling the camera …')
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
