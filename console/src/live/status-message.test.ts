import { type ProcessInfo } from '@aerie/client'
import { expect, test } from 'vitest'
import { isNews } from './status-message.ts'

const shown = (state: string, problem: string | null) => ({ state, problem, error: null }) as unknown as ProcessInfo
const status = (state: string, problem: string | null) => ({ process_uuid: 'p', state, problem })

test.each([
  ['the same', status('running', null), shown('running', null), false],
  ['another state', status('running', null), shown('waiting', null), true],
  ['a problem', status('running', 'No message for 6 s.'), shown('running', null), true],
  ['its end', status('running', null), shown('running', 'No message for 9 s.'), true],
  ['other words', status('running', 'No message for 7 s.'), shown('running', 'No message for 6 s.'), false],
])('%s', (_name, said, before, news) => expect(isNews(said, before)).toBe(news))
