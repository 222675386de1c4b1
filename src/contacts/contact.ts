import { type ContactChannel, type ContactFacts, type PushDevice } from '../core/contact.ts'

/** So many has a key. */
export const MAX_CONTACTS = 50
/** So many browsers has a contact. */
export const MAX_DEVICES = 10
export const DEFAULT_MAX_PER_MINUTE = 6

/** A contact as it is listed. */
export type ListedContact = Omit<ContactFacts, 'devices'> & ContactChannel & ListedFacts

interface ListedFacts {
  readonly devices: readonly NamedDevice[]
  readonly createdAt: number
  /** Held back, and not summed up yet. */
  readonly heldCount: number
  readonly lastSentAt: number | null
  /** Why the last message did not arrive, or who of several does not have it. */
  readonly problem: string | null
}

export interface NamedDevice extends PushDevice {
  readonly name: string
  readonly createdAt: number
}
