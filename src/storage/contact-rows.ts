import { type ContactType } from '../core/contact.ts'

/** The rows of how people are notified. */

export interface ContactRow {
  id: string
  account_id: string
  alias: string
  type: ContactType
  /** JSON, with passwords and tokens, since we must send them; masked wherever it is shown. */
  config: string
  /** JSON: `QuietHours`. */
  quiet_hours: string | null
  max_per_minute: number
  /** When the running minute began, and how many were sent in it. */
  minute_at: number | null
  minute_sent: number
  /** The message that had the last turn: sent again, it has that turn. */
  last_turn_id: string | null
  /** JSON: what was held back and is to be summed up; null where nothing was. */
  held: string | null
  /** The process of the last one that was held back: its node sends the sum. */
  held_process_id: string | null
  last_sent_at: number | null
  /** What the last attempt came to; null where it arrived. */
  problem: string | null
  created_at: number
}

/** A browser that web push reaches; goes with its contact. */
export interface ContactDeviceRow {
  id: string
  contact_id: string
  name: string
  /** At its maker's service: whoever knows it can push to it. */
  endpoint: string
  /** Of the browser, base64url: what messages to it are encrypted with (RFC 8291). */
  p256dh: string
  auth: string
  created_at: number
}
