import { expect, test } from 'vitest'
import { toExitError } from './prober.ts'

test.each<[number | null, NodeJS.Signals | null, boolean]>([
  [null, 'SIGSEGV', true],
  [null, 'SIGABRT', true],
  [null, 'SIGBUS', true],
  [null, 'SIGILL', true],
  [null, 'SIGFPE', true],
  [1, null, true],
  [null, 'SIGKILL', false],
  [null, 'SIGTERM', false],
  [null, null, false],
])('a prober that ended with code %s and signal %s: the file is to blame is %s', (code, signal, isFile) => {
  const error = toExitError({ code, signal })
  if (isFile) expect(error.message).toBe('It cannot be decoded: the decoder crashed on it.')
  else expect(error).toMatchObject({ code: 'prober-killed', status: 503 })
})
