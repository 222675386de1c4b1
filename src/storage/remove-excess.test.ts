import { expect, test } from 'vitest'
import { type Importance } from '../core/importance.ts'
import { createLog } from '../observe/log.ts'
import { type DiskState } from './disk-shares.ts'
import { type KeptFiles, type RemovableFile } from './kept-files.ts'
import { removeExcess } from './remove-excess.ts'

const log = createLog({ level: 'silent' })
const LIMIT_BYTES = 40

/** Files of ten bytes each, of accounts that are all masters. */
function aDisk(files: Readonly<Record<string, readonly number[]>>) {
  const left = new Map(Object.entries(files).map(([accountId, times]) => [accountId, [...times]]))
  const cannotRemove = new Set<string>()
  const toFile = (accountId: string, writtenAt: number): RemovableFile => ({
    writtenAt,
    sizeBytes: 10,
    async remove() {
      if (cannotRemove.has(accountId) || cannotRemove.has(`${accountId} ${writtenAt}`))
        throw new Error('The file is in use.')
      left.set(
        accountId,
        left.get(accountId)!.filter((one) => one !== writtenAt),
      )
    },
  })
  const kind: KeptFiles = {
    heldBytes: async () => new Map(),
    removal: {
      writingBytes: async () => new Map(),
      listOldest: async (accountId, limit) =>
        [...left.get(accountId)!]
          .sort((a, b) => a - b)
          .slice(0, limit)
          .map((at) => toFile(accountId, at)),
    },
  }
  const holders = Object.entries(files).map(([accountId, { length }]) => ({
    accountId,
    masterId: accountId,
    heldBytes: length * 10,
    removableBytes: length * 10,
  }))
  const usedBytes = holders.reduce((sum, { heldBytes }) => sum + heldBytes, 0)
  const leftBytes = LIMIT_BYTES - usedBytes
  const state: DiskState = { holders, usedBytes, limitBytes: LIMIT_BYTES, leftBytes, diskLeftBytes: 1_000 }
  return { kind, state, cannotRemove, left: () => Object.fromEntries(left) }
}

test('within the limit nothing is removed', async () => {
  const { kind, state, left } = aDisk({ bob: [1], mallory: [2, 3, 4] })
  expect(await removeExcess(state, { kinds: [kind], log })).toMatchObject({ usedBytes: 40, leftBytes: 0 })
  expect(left()).toEqual({ bob: [1], mallory: [2, 3, 4] })
})

test('the oldest of the account that exceeds its share most go first, until all fits', async () => {
  const { kind, state, left } = aDisk({ bob: [1, 2], mallory: [6, 3, 4, 5] })
  const after = await removeExcess(state, { kinds: [kind], log })
  expect(left()).toEqual({ bob: [1, 2], mallory: [6, 5] })
  expect(after).toMatchObject({ usedBytes: 40, leftBytes: 0, diskLeftBytes: 1_020 })
  expect(after!.holders).toMatchObject([{ heldBytes: 20 }, { heldBytes: 20, removableBytes: 20 }])
})

test('a file that cannot be removed is passed over', async () => {
  const { kind, state, left, cannotRemove } = aDisk({ bob: [1, 2], mallory: [3, 4, 5, 6] })
  cannotRemove.add('mallory 3')
  expect(await removeExcess(state, { kinds: [kind], log })).toMatchObject({ usedBytes: 40, leftBytes: 0 })
  expect(left()).toEqual({ bob: [1, 2], mallory: [3, 6] })
})

test('a file that cannot be removed does not keep those of others', async () => {
  const { kind, state, left, cannotRemove } = aDisk({ bob: [1, 2, 3], mallory: [4, 5, 6, 7] })
  cannotRemove.add('mallory')
  expect(await removeExcess(state, { kinds: [kind], log })).toMatchObject({ usedBytes: 60, leftBytes: -20 })
  expect(left()).toEqual({ bob: [2, 3], mallory: [4, 5, 6, 7] })
})

/** Files of ten bytes of one account, each as `importance@time`; those of a kind in the order in which it lists them. */
function aDiskOf(kinds: readonly string[]) {
  const removed: string[] = []
  const toFile = (text: string): RemovableFile => {
    const [importance, writtenAt] = text.split('@')
    return {
      writtenAt: Number(writtenAt),
      sizeBytes: 10,
      ...(importance && { importance: Number(importance) as Importance }),
      remove: async () => void removed.push(text),
    }
  }
  const listed = kinds.map((files) => files.split(' ').map(toFile))
  const kept = listed.map((files): KeptFiles => {
    const left = [...files]
    return {
      heldBytes: async () => new Map(),
      removal: { writingBytes: async () => new Map(), listOldest: async (_accountId, limit) => left.splice(0, limit) },
    }
  })
  const heldBytes = listed.flat().length * 10
  const bob = { accountId: 'bob', masterId: 'bob', heldBytes, removableBytes: heldBytes }
  return {
    removed,
    remove: (files: number) => {
      const limits = { limitBytes: heldBytes - files * 10, leftBytes: -files * 10, diskLeftBytes: 1_000 }
      return removeExcess({ holders: [bob], usedBytes: heldBytes, ...limits }, { kinds: kept, log })
    },
  }
}

test.each([
  { name: 'what is of no importance goes before what is older', kinds: ['0@9 1@1'], removed: '0@9' },
  { name: 'of the same importance the oldest goes first', kinds: ['1@1 1@2 2@0'], removed: '1@1 1@2' },
  { name: 'importance counts among kinds', kinds: ['1@1', '0@9'], removed: '0@9' },
  { name: 'age counts among kinds', kinds: ['1@5 2@1', '1@4 1@6'], removed: '1@4 1@5 1@6 2@1' },
  { name: 'a kind that says nothing is of none', kinds: ['1@1', '@9'], removed: '@9' },
  { name: 'alerts go too, when nothing else is left', kinds: ['0@9 1@5 2@1'], removed: '0@9 1@5 2@1' },
])('$name', async ({ kinds, removed: expected }) => {
  const { remove, removed } = aDiskOf(kinds)
  await remove(expected.split(' ').length)
  expect(removed.join(' ')).toBe(expected)
})

test('what is stopped answers nothing', async () => {
  const { kind, state } = aDisk({ bob: [1, 2, 3, 4, 5] })
  expect(await removeExcess(state, { kinds: [kind], log, signal: AbortSignal.abort() })).toBeUndefined()
})
