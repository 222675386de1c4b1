import { expect, test } from 'vitest'
import { timeWords } from '../time-words.ts'
import { connectionWords } from './connection-words.ts'

const at = (minute: number) => new Date(2026, 4, 17, 14, minute).toISOString()
const words = (minute: number) => timeWords(at(minute))
const well = { kind: 'pulled', since: at(3), last_error: null, last_error_at: null } as const
const failed = { ...well, last_error: 'The camera refused the password.', last_error_at: at(5) }

test.each([
  [{ ...well, state: 'connected' } as const, `Connected since ${words(3)}.`],
  [
    { ...failed, state: 'connected' } as const,
    `Connected since ${words(3)}. Last trouble at ${words(5)}: The camera refused the password.`,
  ],
  [{ ...well, state: 'offline', since: null } as const, 'Nothing is being sent.'],
  [{ ...well, state: 'idle' } as const, 'The camera is called when it is needed.'],
  [{ ...well, state: 'connecting' } as const, 'Calling the camera …'],
  [
    { ...failed, state: 'connecting' } as const,
    `Calling the camera … Last trouble at ${words(5)}: The camera refused the password.`,
  ],
  [
    { ...failed, state: 'lost' } as const,
    `Lost since ${words(3)}. Last tried ${words(5)}: The camera refused the password.`,
  ],
  [{ ...well, state: 'lost', since: null } as const, 'Lost; it is called again and again.'],
])('$state', (connection, sentence) => expect(connectionWords(connection)).toBe(sentence))
