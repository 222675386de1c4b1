import { type Clock } from '../core/clock.ts'
import { type Balance, secondsLeft } from '../core/minutes.ts'
import { createLatestWrite } from './latest-write.ts'

export interface Charging {
  /** Writes to the ledger what the meter shows now. */
  now(): Promise<void>
  /** Something is about to be used: looks whether anything is left. */
  check(): Promise<void>
}

export interface ChargingDeps {
  readonly meter: { readonly ms: number }
  /** To the ledger: the meter's total, not what is new. */
  readonly charge: (totalMs: number) => Promise<Balance>
  /** There are no minutes left. */
  readonly onEmpty: () => void
  readonly onError: (error: unknown) => void
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** The book of minutes, as far as processes write in it. */
export interface ProcessLedger {
  charge(chargeId: string, accountId: string, totalMs: number, now: number): Promise<Balance>
  balance(accountId: string): Promise<Balance>
}

/** Writes nothing before something was used, so that a start that came to nothing leaves nothing; what is left is answered all the same. */
export function chargingOnceUsed(ledger: ProcessLedger): Pick<ProcessLedger, 'charge'> {
  return {
    charge: (chargeId, accountId, totalMs, now) =>
      totalMs === 0 ? ledger.balance(accountId) : ledger.charge(chargeId, accountId, totalMs, now),
  }
}

/** A crash loses what ran since the last entry in the ledger: at most ten seconds, says the contract. */
const EVERY_MS = 5_000
const MIN_WAIT_MS = 250
/** Of one that uses nothing now: others of the same account do, and its master may take minutes back. */
const BALANCE_EVERY_MS = 60_000

/** Writes to the ledger every few seconds what a process has used, and notices when nothing is left. */
export function startCharging({ meter, charge, onEmpty, onError, clock, signal }: ChargingDeps): Charging {
  let chargedMs = -1
  let leftSeconds = Infinity
  let askedAtMs = -Infinity

  const isEmpty = () => leftSeconds <= 0 && !signal.aborted

  // What is used last is written too, however long the ledger can't be had.
  const total = createLatestWrite(writeTotal, clock, onError)

  async function writeTotal(): Promise<void> {
    const { ms } = meter
    const balance = await charge(ms)
    chargedMs = ms
    leftSeconds = secondsLeft(balance)
    askedAtMs = clock.steady()
  }

  async function refreshBalance(): Promise<void> {
    total.touch()
    await total.flush()
  }

  async function now(): Promise<void> {
    if (meter.ms !== chargedMs) await refreshBalance()
  }

  async function check(): Promise<void> {
    await refreshBalance()
    if (isEmpty()) onEmpty()
  }

  async function chargeOn(): Promise<void> {
    while (!signal.aborted) {
      const isDue = meter.ms !== chargedMs || clock.steady() - askedAtMs >= BALANCE_EVERY_MS
      if (isDue) await refreshBalance()
      if (isEmpty()) return onEmpty()
      await clock.sleep(Math.max(MIN_WAIT_MS, Math.min(EVERY_MS, leftSeconds * 1000)), signal)
    }
  }

  void chargeOn()
  return { now, check }
}
