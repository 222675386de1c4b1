import { type Clock } from '../core/clock.ts'
import { type Balance } from '../core/words.ts'

export interface Charging {
  /** Tells the ledger what the meter shows now. */
  now(): Promise<void>
}

export interface ChargingDeps {
  readonly meter: { readonly seconds: number }
  /** To the ledger: the meter's total, not what is new. */
  readonly charge: (totalSeconds: number) => Promise<Balance>
  /** There are no minutes left. */
  readonly onEmpty: () => void
  readonly onError: (error: unknown) => void
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** The book of minutes, as far as processes write in it. */
export interface ProcessLedger {
  charge(chargeId: string, accountId: string, totalSeconds: number, now: number): Promise<Balance>
  balance(accountId: string): Promise<Balance>
}

/** Writes nothing before the first second, so that a start that came to nothing leaves nothing; what is left is told all the same. */
export function chargingFromFirstSecond(ledger: ProcessLedger): Pick<ProcessLedger, 'charge'> {
  return {
    charge: (chargeId, accountId, totalSeconds, now) =>
      totalSeconds < 1 ? ledger.balance(accountId) : ledger.charge(chargeId, accountId, totalSeconds, now),
  }
}

/** A crash loses what ran since the last word to the ledger: at most ten seconds, says the contract. */
const EVERY_MS = 5_000
const SHORTEST_WAIT_MS = 250

/** Tells the ledger every few seconds what a process has used, and notices when nothing is left. */
export function startCharging({ meter, charge, onEmpty, onError, clock, signal }: ChargingDeps): Charging {
  let chargedSeconds = -1
  let leftSeconds = Infinity

  async function now(): Promise<void> {
    const { seconds } = meter
    if (seconds === chargedSeconds) return
    try {
      const { remainingSeconds } = await charge(seconds)
      chargedSeconds = seconds
      leftSeconds = remainingSeconds
    } catch (error) {
      // The next word says it all again.
      onError(error)
    }
  }

  async function chargeOn(): Promise<void> {
    while (!signal.aborted) {
      await now()
      if (leftSeconds <= 0 && !signal.aborted) return onEmpty()
      await clock.sleep(Math.max(SHORTEST_WAIT_MS, Math.min(EVERY_MS, leftSeconds * 1000)), signal)
    }
  }

  void chargeOn()
  return { now }
}
