import { AppError } from '../../core/errors.ts'
import { once } from '../../core/once.ts'

/** Packages that are being made: each reads as much of the disk as its client takes, so a key has few at once. */
export interface PackageSlots {
  /** Throws `evidence-limit-reached`. Returns how to give the slot back, which may be called again. */
  take(accountId: string): () => void
}

const MAX_PACKAGES = 2

export function createPackageSlots(limit = MAX_PACKAGES): PackageSlots {
  const taken = new Map<string, number>()
  return {
    take(accountId) {
      const count = taken.get(accountId) ?? 0
      if (count >= limit) throw new AppError('evidence-limit-reached', { limit })
      taken.set(accountId, count + 1)
      return once(() => {
        const left = taken.get(accountId)! - 1
        if (left > 0) taken.set(accountId, left)
        else taken.delete(accountId)
      })
    },
  }
}
