import {
  type DeliveryEntry,
  type DeliveryQuery,
  type DeliveryStanding,
  type OutboundMessage,
} from './outbound-message.ts'
import { type Page } from './page.ts'

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

/** Writes what a restart goes on from, also while the database is away: then it waits in the spool, of each key the newest. */
export interface SpooledWriter<Value> {
  /**
   * Resolves when they are on disk: in the database, or in the spool, from where they go there, and where the account that
   * `ownerOf` names by their key has a share. Rejects when neither takes them all.
   */
  write(entries: ReadonlyMap<string, Value>, ownerOf: (key: string) => string): Promise<void>
  /** What is in the spool: it is newer than what the database has of it. */
  waiting(): ReadonlyMap<string, Value>
}

export interface SpooledWriterOptions<Value> {
  /** By which the next start finds them, also that of a later version. */
  readonly kind: string
  /** Writes them into the database; the same may be written again. Called for what is newer only when what is older was answered. */
  readonly save: (entries: ReadonlyMap<string, Value>) => Promise<void>
}

/** Something that will be refused however often it is tried: a retry loop must drop it. */
export class UnacceptableError extends Error {}

/**
 * Sends messages to others, for sure: whatever was taken arrives at least once, each channel in its order. It stands here because
 * several features use it; each of them takes the part that it needs.
 */
export interface Delivery {
  /** Hands over what a source has, in its order, until it is on disk. */
  createDurableNotifier<Item>(source: NotifierSource<Item, OutboundMessage>): DurableNotifier
  /** Writes down how far sources have come. */
  createProgressWriter<Progress>(options: ProgressWriterOptions<Progress>): ProgressWriter<Progress>
  /** Before the service starts: what was left in the spool is known from then on. */
  createSpooledWriter<Value>(options: SpooledWriterOptions<Value>): SpooledWriter<Value>
  /**
   * A message about a process that another node may have by now: whoever has it sends this, after what waits of it. Resolves when it is on
   * disk; the same id is not taken twice.
   */
  leave(message: OutboundMessage): Promise<void>
  /** Resolves when nothing waits in the channel and its next message would be sent at once, or when the signal aborts. */
  whenClear(channel: string, signal: AbortSignal): Promise<void>
  /** Everything that waits under this channel is dropped, and what is kept to be listed. */
  drop(channel: string): Promise<void>
  /** Newest first. */
  list(channel: string | readonly string[], query?: Partial<DeliveryQuery>): Promise<Page<DeliveryEntry>>
  find(channel: string, id: string): Promise<DeliveryEntry | undefined>
  /** What waits in a channel, and why the last attempt came to nothing; known without a look into the database. */
  backlogOf(channel: string): Omit<DeliveryStanding, 'lastDeliveredAtMs'>
  /** How it stands with channels: what waits, when it is tried next, when something last arrived. */
  standing(channels: readonly string[]): Promise<ReadonlyMap<string, DeliveryStanding>>
  /** A dead one, or a delivered one whose text is kept, waits again for another day, with its id. False when there is none. */
  resend(channel: string, id: string): Promise<boolean>
}
