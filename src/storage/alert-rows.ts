export interface AlertRow {
  id: string
  account_id: string
  alias: string
  status: 'active' | 'inactive'
  /** What it looks for and where it sends, with the passwords of brokers, since we must dial them; masked wherever it is shown. */
  setup: string
  /** Whether it looks only at the sources that `alert_source` lists, though none be left. */
  has_sources: 0 | 1
  created_at: number
  updated_at: number
}

/** A source that an alert looks at; goes with either. */
export interface AlertSourceRow {
  alert_id: string
  source_id: string
}

/** How far an alert has come at a process. */
export interface AlertSequenceRow {
  alert_id: string
  process_id: string
  /** Numbers up to this one may have been used. */
  reserved: number
  /** When the process ended; what is still to be delivered of it is given up a day later. */
  ended_at: number | null
  /** JSON: what is on its way to the outbox, and what is to be sent after a crash; null when nothing is. With passwords. */
  progress: string | null
}

/** Under which name notifications of an alert at a process were given to the outbox. */
export interface AlertChannelRow {
  channel: string
  alert_id: string
  process_id: string
}
