/** Why a telemetry message was not used. They are counted by name in the process's information. */
export type RefusalReason =
  | 'too-large'
  | 'not-json'
  | 'not-an-object'
  | 'wrong-type'
  | 'out-of-range'
  | 'timestamp-missing'
  | 'timestamp-in-the-future'
  | 'timestamp-in-the-past'
  | 'timestamp-went-back'
  | 'no-fix'
  | 'nothing-of-use'
  | 'dock'
  | 'remote-controller'
  | 'camera-without-gimbal'
  | 'other-aircraft'

export interface Refusal {
  readonly reason: RefusalReason
  /** What is wrong, for the sender. */
  readonly sentence: string
}

/** A message that was understood, or why it was not. */
export type Reading<T> = { readonly sample: T } | { readonly refusal: Refusal }

/** `received`: what its sender said, with the time that it gave, also where that cannot be used. */
export type Heard<T> = Reading<T> & { readonly received?: T }

export function refuse(reason: RefusalReason, sentence: string): { readonly refusal: Refusal } {
  return { refusal: { reason, sentence } }
}

export interface RefusalCounts {
  count(reason: RefusalReason): void
  /** Those that occurred. */
  readonly counts: Readonly<Partial<Record<RefusalReason, number>>>
}

export function createRefusalCounts(): RefusalCounts {
  const counts: Partial<Record<RefusalReason, number>> = {}
  return {
    count(reason) {
      counts[reason] = (counts[reason] ?? 0) + 1
    },
    counts,
  }
}
