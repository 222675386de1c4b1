import { AppError } from '../core/errors.ts'
import { type PathQuota, type ReaderQuota } from './access.ts'
import { MediaRefusal } from './refusal.ts'

/** How many paths and readers each owner has at a time, over all its paths. */
export interface OwnerQuotas {
  /** Throws a `MediaRefusal` when the owner publishes as many other paths as it may. Without a quota nothing is counted. */
  checkPath(path: string, quota: PathQuota | undefined): void
  takePath(path: string, quota: PathQuota | undefined): void
  releasePath(path: string): void
  /** Readers without a quota always get one. */
  readerSlots(quota: ReaderQuota | undefined): ReaderSlots
}

/** Both throw a `MediaRefusal` when the owner has as many readers as it may. */
export interface ReaderSlots {
  check(): void
  /** Returns how to release it. */
  take(): () => void
}

const UNLIMITED: ReaderSlots = { check: () => {}, take: () => () => {} }

export function createOwnerQuotas(): OwnerQuotas {
  /** The owners of those paths that count. */
  const owners = new Map<string, string>()
  const readerCounts = new Map<string, number>()

  return {
    checkPath(path, quota) {
      if (!quota) return
      const { owner, maxPaths } = quota
      const others = [...owners].filter(([taken, by]) => by === owner && taken !== path)
      if (others.length < maxPaths) return
      const { message } = new AppError('published-stream-limit-reached', { username: owner, limit: maxPaths })
      throw new MediaRefusal('limit-reached', message)
    },
    takePath: (path, quota) => void (quota && owners.set(path, quota.owner)),
    releasePath: (path) => void owners.delete(path),
    readerSlots(quota) {
      if (!quota) return UNLIMITED
      const { owner, maxReaders } = quota
      const count = () => readerCounts.get(owner) ?? 0
      function check(): void {
        if (count() < maxReaders) return
        const { message } = new AppError('reader-limit-reached', { username: owner, limit: maxReaders })
        throw new MediaRefusal('limit-reached', message)
      }
      return {
        check,
        take() {
          check()
          readerCounts.set(owner, count() + 1)
          return () => void (count() > 1 ? readerCounts.set(owner, count() - 1) : readerCounts.delete(owner))
        },
      }
    },
  }
}
