/** Hands what somebody is to be notified of to the outbox: in order, again when that fails, and never twice. */
export interface DurableNotifier {
  readonly isBusy: boolean
  /** Something may be ready to go. Never waits. */
  wake(): void
  /** Resolves when all that was ready is in the outbox, or was given up. */
  flush(): Promise<void>
  /** The same, but what fails from now on is given up. */
  close(): Promise<void>
}

/** What a notifier has to hand over: the consumer decides what is worth sending, when, and what is kept of it. */
export interface NotifierSource<Item, Message> {
  isReady(): boolean
  /** Resolves when the next ones may go. */
  awaitTurn?(): Promise<void>
  /** Those that go now, together; they stay the next ones until `onTaken`. */
  next(): readonly Item[]
  /** Writes what has to be on disk before they go. */
  prepare?(items: readonly Item[]): Promise<void>
  /** The same ids whenever it is asked: what the outbox has is not taken twice. */
  messagesOf(item: Item): readonly Message[]
  /** They are on disk, in the outbox. */
  onTaken(items: readonly Item[]): void
  /** The outbox will never take one of their messages; it goes on without it. */
  onRefused(error: Error): void
  /** They are tried again in a moment. */
  onFailure(error: unknown): void
  /** It was closed, and they could not be written. */
  onGivenUp?(): void
  /** Nothing is ready any more. */
  onIdle?(): void
}
