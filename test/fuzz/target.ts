import { type Random } from './random.ts'

/** Something that takes what strangers send: whatever that is, it neither crashes nor hangs nor keeps memory. */
export interface FuzzTarget {
  readonly name: string
  /** What is fed with what, for the table of `docs/reliability.md`. */
  readonly about: string
  readonly counts: {
    /** Of `npm test`: about a second. */
    readonly short: number
    /** Of `npm run fuzz`: minutes. At least 10 000, but where a process of its own takes long for each. */
    readonly long: number
  }
  /** How many inputs are fed at the same time; 1 where it is left out. */
  readonly parallel?: number
  open(): OpenTarget | Promise<OpenTarget>
}

export interface OpenTarget {
  /** What a stranger might send: something valid, with a few things changed that matter in its format. */
  create(random: Random): Buffer
  /** Throws, or rejects, when something happens that must not. Does the same for the same input. */
  feed(input: Buffer): void | Promise<void>
  /** Resolves when nothing of the inputs is under way any more; rejects when something of them is left behind. */
  settle?(): Promise<void>
  /** The processes that take the inputs, where it is not this one. */
  readonly pids?: () => readonly number[]
  close?(): Promise<void>
}
