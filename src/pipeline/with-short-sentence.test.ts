import { expect, test } from 'vitest'
import { type FromWorker } from './messages.ts'
import { withShortSentence } from './with-short-sentence.ts'

const long = 'Server. '.repeat(1000)

test.each<FromWorker>([
  { type: 'reconnecting', sentence: long },
  { type: 'failed', reason: 'source-unreadable', sentence: long },
  { type: 'output', outputId: 'o', state: 'waiting', sentence: long },
])('of the sentence of $type the beginning is sent', (message) => {
  const { sentence, ...others } = withShortSentence(message) as typeof message & { readonly sentence: string }
  expect(sentence).toMatch(/^Server\. .*…$/)
  expect(sentence).toHaveLength(500)
  expect(message).toMatchObject(others)
})

test.each<FromWorker>([
  { type: 'reconnecting', sentence: 'Nothing is being published to it now.' },
  { type: 'output', outputId: 'o', state: 'sending', sentence: null },
  { type: 'finished' },
])('what is short enough is sent as it is: %j', (message) => expect(withShortSentence(message)).toEqual(message))
