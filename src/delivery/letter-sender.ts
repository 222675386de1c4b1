import { type Contact, type ContactType } from '../core/contact.ts'
import { type Letter } from '../core/letter.ts'

/** Brings letters to contacts of one type. Rejects as a `Sender` does. */
export interface LetterSender<Type extends ContactType = ContactType> {
  /** Resolves with a sentence on those of several recipients who do not have it; with null where all do. */
  send(contact: Contact & { readonly type: Type }, sending: Sending): Promise<string | null>
}

export interface Sending {
  /** The same however often it is sent. */
  readonly id: string
  readonly letter: Letter
  /** A JPEG. */
  readonly picture: Buffer | undefined
  readonly signal: AbortSignal
}
