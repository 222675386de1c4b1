/** What features tell each other over the bus. */
export interface AppEvents {
  /** A key lost its rights: whatever runs for it must stop; with `purge`, what it stored must go too. */
  'key-revoked': { readonly accountId: string; readonly username: string; readonly purge: boolean }
}
