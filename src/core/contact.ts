/** By what a person is notified. */
export type ContactType = 'email' | 'ntfy' | 'telegram' | 'webpush'

/** A person's own channel, with all that is needed to reach it. */
export interface Contact {
  readonly id: string
  readonly accountId: string
  readonly alias: string
  readonly type: ContactType
  /** As its type has it, with passwords and tokens. */
  readonly config: unknown
  readonly quietHours: QuietHours | null
  readonly maxPerMinute: number
  /** Of `webpush`. */
  readonly devices: readonly PushDevice[]
}

/** When nobody is to be disturbed. */
export interface QuietHours {
  /** `HH:MM`; over midnight where `to` is the earlier one. */
  readonly from: string
  readonly to: string
  /** IANA. */
  readonly timeZone: string
  /** Those on which it begins, 1 (Monday) … 7; every day where there are none. */
  readonly days?: readonly number[]
}

/** A browser that web push reaches. */
export interface PushDevice {
  readonly id: string
  readonly endpoint: string
  /** base64url (RFC 8291). */
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** Contacts, as what sends to them knows them. */
export interface ContactTurns {
  find(contactId: string): Promise<Contact | undefined>
  /** Whether a message may be sent now; one that is held back is counted, by the alias of its alert. The same message again has its turn again. */
  takeTurn(contactId: string, messageId: string, alias: string, nowMs: number): Promise<'send' | 'held'>
  /** `problem`: why it did not arrive. */
  noteSent(contactId: string, problem: string | null): Promise<void>
  removeDevice(deviceId: string): Promise<void>
}
