import { shortSentence } from '../core/sentences.ts'
import { type FromWorker } from './messages.ts'

/** The message with its sentence cut: sentences about sources and outputs may quote other machines. */
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
