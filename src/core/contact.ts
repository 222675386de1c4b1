/** By what a person is notified. */
export const contactTypes = ['email', 'ntfy', 'telegram', 'webpush'] as const
export type ContactType = (typeof contactTypes)[number]

/** A person's own channel, with all that is needed to reach it. */
export type Contact = ContactFacts & ContactChannel

export interface ContactFacts {
  readonly id: string
  readonly accountId: string
  readonly alias: string
  readonly quietHours: QuietHours | null
  readonly maxPerMinute: number
  /** Of `webpush`. */
  readonly devices: readonly PushDevice[]
}

/** Of each type its config, as it is on the wire, with passwords and tokens. */
export type ContactChannel =
  | { readonly type: 'email'; readonly config: EmailConfig }
  | { readonly type: 'ntfy'; readonly config: NtfyConfig }
  | { readonly type: 'telegram'; readonly config: TelegramConfig }
  | { readonly type: 'webpush'; readonly config: Readonly<Record<string, never>> }

export interface EmailConfig {
  readonly host: string
  readonly port: number
  /** `tls` from the first byte, or once the server has offered it. */
  readonly security: 'tls' | 'starttls' | 'none'
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly from: string
  readonly to: readonly string[]
}

export interface NtfyConfig {
  readonly server: string
  readonly topic: string
  readonly token?: string | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
  /** 1 (without a sound) … 5. */
  readonly priority?: number | undefined
}

export interface TelegramConfig {
  readonly bot_token: string
  readonly chat_id: string
  readonly api_url: string
}

/** When nobody is to be disturbed. */
export interface QuietHours {
  /** `HH:MM`; over midnight where `to` is the earlier one. */
  readonly from: string
  readonly to: string
  /** IANA. */
  readonly timeZone: string
  /** Those on which it begins, 1 (Monday) … 7; every day where there are none. */
  readonly days?: readonly number[] | undefined
}

/** A browser that web push reaches. */
export interface PushDevice {
  readonly id: string
  readonly endpoint: string
  /** base64url (RFC 8291). */
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** A message that asks to be sent to a contact now. */
export interface TurnRequest {
  readonly contactId: string
  readonly messageId: string
  /** What it is counted under where it is held back: its alert, and the camera. */
  readonly label: string
  /** The node of this process sends the sum. */
  readonly processId: string | null
  readonly nowMs: number
}

/** Contacts, as what sends to them knows them. */
export interface ContactTurns {
  find(contactId: string): Promise<Contact | undefined>
  /** Whether a message may be sent now; one that is held back is counted, once however often it asks. The same message again has its turn again. */
  takeTurn(request: TurnRequest): Promise<'send' | 'held'>
  noteSent(contactId: string, outcome: SentOutcome): Promise<void>
  removeDevice(deviceId: string): Promise<void>
}

/** What became of a message. */
export interface SentOutcome {
  /** Somebody has it. */
  readonly hasArrived: boolean
  /** Why it did not arrive, or who of several does not have it. */
  readonly problem: string | null
}

/** What was held back from a contact and is sent as one message. */
export interface HeldSum {
  readonly count: number
  readonly fromMs: number
  /** How many of each label, and of all others together. */
  readonly labels: Readonly<Record<string, number>>
  readonly others: number
}
