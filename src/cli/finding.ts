/** `note` is worth knowing; `warn` is a door that should be closed, or opened knowingly. */
export interface Finding {
  readonly level: 'ok' | 'note' | 'warn'
  readonly topic: string
  readonly sentence: string
  /** What to do, where something is to be done. */
  readonly advice?: string
}
