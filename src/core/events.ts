export interface ProcessStateChange {
  readonly processId: string
  readonly accountId: string
  readonly sourceId: string
  readonly state: string
  readonly previousState: string
  /** Whether the process goes on. */
  readonly isLive: boolean
  /** Why it ended, or what is wrong. */
  readonly reason: string | null
}

/** What features tell each other over the bus. */
export interface AppEvents {
  /** A key lost its rights: whatever runs for it must stop; with `purge`, what it stored must go too. */
  'key-revoked': { readonly accountId: string; readonly username: string; readonly purge: boolean }
  /** A process came into another state. */
  'process-state': ProcessStateChange
}
