import { expect, test } from 'vitest'
import { type DiskState } from '../storage/disk-shares.ts'
import { createClipRoom } from './clip-room.ts'

const ann = { id: 'ann', masterId: null }

/** A disk of two accounts, one thousand bytes in all: each has a share of 500. */
function aState(change: Partial<DiskState> = {}): DiskState {
  const holders = [
    { accountId: 'ann', masterId: 'ann', heldBytes: 450, removableBytes: 150 },
    { accountId: 'bob', masterId: 'bob', heldBytes: 100, removableBytes: 0 },
  ]
  return { holders, usedBytes: 550, limitBytes: 1_000, leftBytes: 450, diskLeftBytes: 5_000, ...change }
}

const roomOf = (state: DiskState) => createClipRoom({ state: async () => state })

test.each([
  ['of what its account has only what stays counts', {}, 200, 'inserted'],
  ['more than the share is refused', {}, 201, 'disk-share-used-up'],
  ['so is what the disk has no room for', { diskLeftBytes: 200 }, 200, 'disk-full'],
  ['what leaves a byte of it is not', { diskLeftBytes: 201 }, 200, 'inserted'],
  ['others have filled the disk', { limitBytes: 0 }, 1, 'disk-full'],
] as const)('%s', async (_what, change, bytes, outcome) => {
  const room = roomOf(aState(change))
  const held = room.hold(ann, bytes, async () => 'inserted').catch((error: { code: string }) => error.code)
  expect(await held).toBe(outcome)
})

test('an account that has nothing yet has a share too, and what is refused is not inserted', async () => {
  const room = roomOf(aState())
  const inserted: string[] = []
  const hold = (bytes: number) => room.hold({ id: 'eve', masterId: 'bob' }, bytes, async () => inserted.push('eve'))
  // Bob's half is for him and the key that he made.
  await expect(hold(251)).rejects.toMatchObject({ code: 'disk-share-used-up' })
  expect(inserted).toEqual([])
  await hold(250)
  expect(inserted).toEqual(['eve'])
})

test('of those that come at once each counts the ones before, and one that fails stops nobody', async () => {
  let heldBytes = 0
  const holders = () => [{ accountId: 'ann', masterId: 'ann', heldBytes, removableBytes: 0 }]
  const room = createClipRoom({ state: async () => aState({ holders: holders() }) })
  const insert = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    heldBytes += 400
  }
  const failing = async () => Promise.reject(new Error('the database is away'))
  const all = [failing, insert, insert, insert].map((action) => room.hold(ann, 400, action))
  const outcomes = (await Promise.allSettled(all)).map(({ status }) => status)
  expect([outcomes, heldBytes]).toEqual([['rejected', 'fulfilled', 'fulfilled', 'rejected'], 800])
})
