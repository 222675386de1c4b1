import { type Clock } from '../core/clock.ts'
import { type Contact, type ContactTurns, type ContactType, type SentOutcome } from '../core/contact.ts'
import { type EventPictures } from '../core/event-pictures.ts'
import { isForPeople, labelOf, type Letter, toLetter, toTestLetter } from '../core/letter.ts'
import { type ContactDestination, isSum, type OutboundMessage } from '../core/outbound-message.ts'
import { shortSentence } from '../core/sentences.ts'
import { type Log } from '../observe/log.ts'
import { type LetterSender } from './letter-sender.ts'
import { NotDelivered, type Sender } from './message.ts'

export interface ContactSenderDeps {
  readonly contacts: ContactTurns
  readonly pictures: EventPictures
  readonly types: { readonly [Type in ContactType]: LetterSender<Type> }
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

export interface ContactSender extends Sender {
  /** Now, whatever its quiet hours are. Resolves as `LetterSender.send` does. */
  sendTest(contact: Contact): Promise<string | null>
}

/** Where much is found at once the last one is made after four seconds; on a machine that is busy with more, later. */
const PICTURE_WITHIN_MS = 10_000
const SEND_WITHIN_MS = 30_000
/** Where a contact has no quiet hours it has no zone either. */
const DEFAULT_ZONE = 'UTC'

/** Brings messages to people: by what their contact is now, not as it was when they began to wait. */
export function createContactSender({ contacts, pictures, types, clock, log }: ContactSenderDeps): ContactSender {
  async function deliver(contact: Contact, id: string, letter: Letter, signal?: AbortSignal): Promise<string | null> {
    const picture =
      letter.eventId === null ? undefined : await pictures.read(letter.eventId, { waitMs: PICTURE_WITHIN_MS })
    const timeout = AbortSignal.timeout(SEND_WITHIN_MS)
    const sending = { id, letter, picture, signal: signal ? AbortSignal.any([signal, timeout]) : timeout }
    try {
      // Each type's sender takes contacts of its type.
      return await (types[contact.type] as LetterSender).send(contact, sending)
    } catch (error) {
      if (error instanceof NotDelivered || !timeout.aborted) throw error
      throw new NotDelivered(`It was not taken within ${SEND_WITHIN_MS / 1000} s.`, { cause: error })
    }
  }

  /** What is shown of it is not worth to send a message twice. */
  async function note(contactId: string, outcome: SentOutcome): Promise<void> {
    const onError = (error: unknown) => log.warn({ err: error, contact_uuid: contactId }, 'what came of a message to a contact was not written') // prettier-ignore
    await contacts.noteSent(contactId, outcome).catch(onError)
  }

  async function mayGo(contact: Contact, { id, body, processId }: OutboundMessage): Promise<boolean> {
    if (isSum(id)) return true
    if (!isForPeople(body)) return false
    const request = { contactId: contact.id, messageId: id, label: labelOf(body), processId, nowMs: clock.now() }
    return (await contacts.takeTurn(request)) === 'send'
  }

  return {
    async send(message, signal) {
      const contact = await contacts.find((message.destination as ContactDestination).contactId)
      // Nobody is there to be notified any more; what was somebody else's never was.
      if (contact?.accountId !== message.accountId || !(await mayGo(contact, message))) return
      const letter = toLetter(message.body, contact.quietHours?.timeZone ?? DEFAULT_ZONE)
      let problem: string | null
      try {
        problem = await deliver(contact, message.id, letter, signal)
      } catch (error) {
        await note(contact.id, { hasArrived: false, problem: shortSentence((error as Error).message) })
        throw error
      }
      await note(contact.id, { hasArrived: true, problem: problem && shortSentence(problem) })
    },
    sendTest: (contact) => deliver(contact, `test:${contact.id}:${clock.now()}`, toTestLetter(contact.alias)),
    async close() {},
  }
}
