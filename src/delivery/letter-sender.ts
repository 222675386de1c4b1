import { type Contact, type ContactType } from '../core/contact.ts'
import { type Letter } from '../core/letter.ts'

/** Brings letters to contacts of one type. Rejects as a `Sender` does. */
export interface LetterSender<Type extends ContactType = ContactType> {
  send(contact: Contact & { readonly type: Type }, sending: Sending): Promise<void>
}

export interface Sending {
  /** The same however often it is sent. */
  readonly id: string
  readonly letter: Letter
  /** A JPEG. */
  readonly picture: Buffer | undefined
  readonly signal: AbortSignal
}
