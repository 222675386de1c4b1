import { shortSentence } from '../core/short-sentence.ts'
import { type FromWorker } from './messages.ts'

/** The message with a sentence no longer than is kept: what is wrong with sources and outputs is said by other machines. */
export function withShortSentence(message: FromWorker): FromWorker {
  switch (message.type) {
    case 'reconnecting':
    case 'failed':
      return { ...message, sentence: shortSentence(message.sentence) }
    case 'output':
      return { ...message, sentence: message.sentence && shortSentence(message.sentence) }
    default:
      return message
  }
}
