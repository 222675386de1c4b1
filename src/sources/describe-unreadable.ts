import { maskSecrets } from '../core/mask-secrets.ts'
import { asSentence } from '../core/sentences.ts'

/** That `name` could not be opened, why, and what to do about it. */
export function describeUnreadable(name: string, message: string): string {
  return `${asSentence(`${name} cannot be opened: ${maskSecrets(message)}`)} ${adviceFor(message)}`.trim()
}

/** By the error message; empty when nothing is known. A number in a host or port is no answer. */
function adviceFor(message: string): string {
  if (/(?<![\w:.-])401(?![\w:-])|unauthorized|user and (a )?password/i.test(message))
    return 'Give the right user and password: rtsp://user:password@host/path. Those of an Aerie are a username and its key.'
  if (/(?<![\w:.-])404(?![\w:-])|not found/i.test(message))
    return 'Nothing is sent to that path; check it, and that the sender is running.'
  if (/refused/i.test(message)) return 'Nothing listens there; check host and port.'
  if (/timed out|timeout|no route/i.test(message)) return 'The host did not answer in time; check the network.'
  return ''
}
