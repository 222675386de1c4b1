import { type Load, type SignalName, SIGNALS } from './load.ts'

/** What stops by a fault, and how soon it must be back. */
export type Goals = Readonly<Partial<Record<SignalName, number>>>

/** Everything stops, and must be back as soon. */
export const all = (goalMs: number): Goals => Object.fromEntries(SIGNALS.map((name) => [name, goalMs]))

/** What is known once it was broken. */
export interface Hit {
  /** Where they depend on what was hit. */
  readonly goals?: Goals
  /** What should have gone on meanwhile and did not, in words. */
  readonly wrong?: readonly string[]
}

/** One way in which something breaks, and what must hold then. */
export interface Fault {
  /** What happens, in a few words: a row of the table. */
  readonly name: string
  /** In milliseconds from the fault, or from its end where it lasts. What is not named must not notice it. */
  readonly goals: Goals
  readonly lasts?: true
  /** How long the API may take to answer meanwhile, but for one request in a hundred. */
  readonly maxAnswerMs?: number
  /** What `/readyz` must say meanwhile that it does not work. */
  readonly notReady?: 'database' | 'disk' | 'event loop' | 'media server'
  /** For a service on PostgreSQL; SQLite otherwise. */
  readonly database?: 'postgres'
  /** What it takes that is not everywhere: without it the row says so, and is not met. */
  readonly needs?: string
  /** What cannot go on while it is so, and is not judged. */
  readonly without?: readonly SignalName[]
  /** For so long processes see something, and are charged for it, of which nobody hears in time. */
  readonly unseenSeconds?: number
  /** The service is killed: numbers of notifications go on with the next hundred. */
  readonly isKill?: true
  /** Part of the short form. */
  readonly isShort?: true
  /** Breaks it. Where the fault lasts, resolves when it is over; nobody mends anything of the service itself. */
  inject(load: Load): Promise<Hit | void>
}
