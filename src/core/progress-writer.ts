/** Writes down how far things have come, the newest last, so that a restart goes on from there. */
export interface ProgressWriter<Progress> {
  /** Resolves when it is on disk; throws when it could not be written. */
  write(id: string, progress: Progress): Promise<void>
  /** After `everyMs` and `awaitTurn`, together with others; what comes meanwhile takes its place. */
  writeSoon(id: string, progress: Progress): void
  /** What was to be written soon of this one is not. */
  forget(id: string): void
  /** What was to be written soon is written now, or given up. */
  flush(): Promise<void>
  /** Nothing more is written once this has resolved. */
  discard(): Promise<void>
}

export interface ProgressWriterOptions<Progress> {
  readonly save: (progress: ReadonlyMap<string, Progress>) => Promise<void>
  /** A crash may lose what came within this time, and within the wait for `awaitTurn`. */
  readonly everyMs: number
  /** Resolves when what waits may be written, or when the signal aborts; what comes meanwhile takes its place. */
  readonly awaitTurn?: (signal: AbortSignal) => Promise<void>
  readonly onError: (error: unknown) => void
}
