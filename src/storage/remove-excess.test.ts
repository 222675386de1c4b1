import { expect, test } from 'vitest'
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

test('what is stopped answers nothing', async () => {
  const { kind, state } = aDisk({ bob: [1, 2, 3, 4, 5] })
  expect(await removeExcess(state, { kinds: [kind], log, signal: AbortSignal.abort() })).toBeUndefined()
})
