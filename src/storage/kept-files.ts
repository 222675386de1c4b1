import { type Importance } from '../core/importance.ts'

/** One kind of what is kept. */
export interface KeptFiles {
  /** By account. */
  heldBytes(): Promise<HeldBytes>
  /** Many rows or files are looked at: `state` may answer with a count of a moment ago. */
  readonly isSlowToCount?: boolean
  /** Left out where nothing may be removed. */
  readonly removal?: {
    /** By account: of what is held, what is being written, and stays. */
    writingBytes(): Promise<HeldBytes>
    /** Those of an account that go first: of what may be removed, the least important, and of these the oldest. */
    listOldest(accountId: string, limit: number): Promise<readonly RemovableFile[]>
  }
}

export type HeldBytes = ReadonlyMap<string, number>

export interface RemovableFile {
  /** Whatever is of less goes first, of whichever kind. Default: 0. */
  readonly importance?: Importance
  /** Milliseconds since the epoch, for the order among the equally important of all kinds. */
  readonly writtenAt: number
  readonly sizeBytes: number
  remove(): Promise<void>
}

/** What is kept elsewhere too: it can leave the disk, whoever's it is, and nothing is lost. */
export interface SpareFiles {
  /** As many bytes as are wanted, or there are. */
  drop(bytes: number): Promise<void>
}
