import { FFmpegError } from 'node-av'
import { expect, test } from 'vitest'
import { ffmpegMessage, streamFault } from './faults.ts'

/** FFmpeg's own codes: an errno, or four letters, as a negative number. */
const tag = (text: string) => -[...text].reduce((sum, letter, at) => sum + letter.charCodeAt(0) * 256 ** at, 0)

test.each([
  { code: tag('\xf8401'), sentence: /^The server refuses the secret/ },
  { code: tag('\xf8404'), sentence: /^Nothing is sent to that path/ },
  { code: -111, sentence: /^Nothing listens there/ },
  { code: -110, sentence: /did not answer in time/ },
  { code: -104, sentence: /broke the connection off/ },
  { code: -5, sentence: /sends no video/ },
  { code: tag('INDA'), sentence: /sends no video/ },
  { code: tag('EOF '), sentence: /sends no video/ },
  { code: -22, sentence: /^It cannot be read as video; check the address/ },
  { code: tag('\xf85XX'), sentence: /^It cannot be read as video; check the address/ },
])('what FFmpeg says by $code comes as a sentence of ours', ({ code, sentence }) => {
  const error = new FFmpegError(code)
  expect(streamFault(error)).toMatch(sentence)
  expect(streamFault(error)).not.toContain(error.message)
})

test('what we say ourselves stays as it is', () => {
  expect(streamFault(new Error('The host is not to be called.'))).toBe('The host is not to be called.')
})

test('what it said itself is kept for the log, however deep', () => {
  const deep = new Error('Ours.', { cause: new Error('Ours too.', { cause: new FFmpegError(-22) }) })
  expect([ffmpegMessage(deep), ffmpegMessage(new Error('Ours.'))]).toEqual(['Invalid argument', undefined])
})
