/** What a node knows of its own lease, by its own steady clock. */
export interface LeaseRecord {
  /** It was renewed, or taken: asked for at `beforeMs` of our steady clock, and done at `databaseMs` of the database's. */
  note(beforeMs: number, databaseMs: number): void
  /** Nobody else can have been given our work yet. */
  isWithinLease(): boolean
  /** Until the lease ends; negative after that. */
  leftMs(): number
  /**
   * The time of the database, as far as we can tell without asking; undefined unless the lease was renewed without a break for a
   * whole one. Only who has that may call others dead: after an outage of the database all leases have ended, and nobody is.
   */
  steadyDatabaseMs(): number | undefined
}

/** Of a lease, between two renewals: beyond it others may have been kept from renewing theirs as we were. */
const MAX_GAP_SHARE = 1 / 2
/** Of a lease: by how much the database's clock may be set. Whoever renewed before that has a lease that is shorter by as much. */
const MAX_JUMP_SHARE = 1 / 3

export function createLeaseRecord(leaseMs: number, steady: () => number): LeaseRecord {
  let endsMs = -Infinity
  let steadySinceMs = -Infinity
  let last: { readonly atMs: number; readonly databaseMs: number } | undefined

  /** Never ahead of the real one, unless the database's clock is set back. */
  const databaseMsAt = (ms: number): number => (last ? last.databaseMs + (ms - last.atMs) : -Infinity)

  function isBreak(nowMs: number, databaseMs: number): boolean {
    if (!last) return true
    const isGap = nowMs - last.atMs > leaseMs * MAX_GAP_SHARE
    return isGap || Math.abs(databaseMs - databaseMsAt(nowMs)) > leaseMs * MAX_JUMP_SHARE
  }

  return {
    note(beforeMs, databaseMs) {
      const nowMs = steady()
      if (isBreak(nowMs, databaseMs)) steadySinceMs = nowMs
      endsMs = beforeMs + leaseMs
      last = { atMs: nowMs, databaseMs }
    },
    isWithinLease: () => steady() < endsMs,
    leftMs: () => endsMs - steady(),
    steadyDatabaseMs() {
      const nowMs = steady()
      const isSteady = nowMs < endsMs && nowMs - steadySinceMs >= leaseMs
      return isSteady ? databaseMsAt(nowMs) : undefined
    },
  }
}
