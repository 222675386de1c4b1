import { expect, test } from 'vitest'
import { type AppError } from '../core/errors.ts'
import { type DiskState, shareOf } from '../storage/disk-shares.ts'
import { createUploadRoom, type UploadingAccount } from './upload-room.ts'

const anAccount = (id: string, totalStorageSizeBytes: number): UploadingAccount => ({
  id,
  masterId: 'admin',
  limits: { totalStorageSizeBytes },
})

/** A disk of 1000 bytes on which accounts have stored and recorded this much. */
function setUp({
  stored = {},
  recorded = {},
  diskLeftBytes = 1e9,
}: Partial<Record<'stored' | 'recorded', Record<string, number>>> & { diskLeftBytes?: number }) {
  async function state(): Promise<DiskState> {
    const incoming = await room.heldBytes()
    const ids = [...new Set([...Object.keys(stored), ...Object.keys(recorded), ...incoming.keys()])]
    const holders = ids
      .map((accountId) => ({
        accountId,
        masterId: 'admin',
        heldBytes: (stored[accountId] ?? 0) + (recorded[accountId] ?? 0) + (incoming.get(accountId) ?? 0),
        removableBytes: recorded[accountId] ?? 0,
      }))
      .filter(({ heldBytes }) => heldBytes > 0)
    const usedBytes = holders.reduce((sum, { heldBytes }) => sum + heldBytes, 0)
    return { holders, usedBytes, limitBytes: 1_000, leftBytes: 1_000 - usedBytes, diskLeftBytes }
  }
  /** What is recorded may be removed, of those above their share, until all fits. */
  async function trim(): Promise<DiskState> {
    const before = await state()
    for (const { accountId, masterId, heldBytes } of before.leftBytes < 0 ? before.holders : []) {
      const excess = heldBytes - shareOf(before, { id: accountId, masterId })
      if (excess > 0) recorded[accountId] = Math.max(0, (recorded[accountId] ?? 0) - excess)
    }
    return state()
  }
  const room = createUploadRoom({
    store: { usedBytes: async (accountId) => stored[accountId] ?? 0 },
    budget: { state, trim },
  })
  return { room, stored, recorded }
}

test('uploads at once stay within the quota together, byte by byte', async () => {
  const { room } = setUp({ stored: { mallory: 100 } })
  const uploads = Array.from({ length: 4 }, () => room.enter(anAccount('mallory', 500)))
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, (_, n) => uploads[n % 4]!.reserve(10).then(() => 10)),
  )
  const taken = outcomes.filter(({ status }) => status === 'fulfilled').length * 10
  expect(taken).toBeLessThanOrEqual(400)
  await expect(uploads[3]!.reserve(1)).rejects.toMatchObject({ code: 'video-storage-full', status: 413 })
})

test.each([
  { limit: 'its quota', quota: 350, stored: { bob: 0 }, code: 'video-storage-full' },
  { limit: 'its share', quota: 1e9, stored: { bob: 500 }, code: 'disk-share-used-up' },
])(
  'of uploads at once as many are taken as fit into $limit, those that began first',
  async ({ quota, stored, code }) => {
    const { room } = setUp({ stored })
    const uploads = Array.from({ length: 4 }, () => room.enter(anAccount('mallory', quota)))
    const sizeBytes = quota === 350 ? 100 : 150
    const outcomes = uploads.map(async ({ reserve, release }) => {
      try {
        for (let sent = 0; sent < sizeBytes; sent += 10) await reserve(10)
        return 'taken'
      } catch (error) {
        release()
        return (error as AppError).code
      }
    })
    expect(await Promise.all(outcomes)).toEqual(['taken', 'taken', 'taken', code])
  },
)

test('what is given back can be used at once', async () => {
  const { room } = setUp({})
  const mallory = anAccount('mallory', 300)
  const first = room.enter(mallory)
  await first.reserve(300)
  const second = room.enter(mallory)
  await expect(second.reserve(10)).rejects.toMatchObject({ code: 'video-storage-full' })
  second.release()
  first.release()
  first.release()
  expect(await room.heldBytes()).toEqual(new Map())
  await room.enter(mallory).reserve(300)
})

test('what is stored meanwhile is not counted twice, nor forgotten', async () => {
  const { room, stored } = setUp({})
  const mallory = anAccount('mallory', 300)
  const first = room.enter(mallory)
  const second = room.enter(mallory)
  await second.reserve(50)
  await first.reserve(200)
  stored['mallory'] = 200
  first.release()
  await second.reserve(50)
  await expect(second.reserve(1)).rejects.toMatchObject({ code: 'video-storage-full' })
})

test('an account may not take more than its share of the disk for what stays', async () => {
  const { room } = setUp({ recorded: { bob: 100, mallory: 200 }, stored: { mallory: 100 } })
  const upload = room.enter(anAccount('mallory', 1e9))
  await upload.reserve(400)
  await expect(upload.reserve(1)).rejects.toThrow('share of the disk, 500 bytes')
})

test('a newcomer has its share even if another has filled the disk', async () => {
  const { room } = setUp({ recorded: { mallory: 1_000 } })
  await room.enter(anAccount('bob', 1e9)).reserve(500)
})

test('a full disk takes nothing', async () => {
  const { room } = setUp({ diskLeftBytes: 0 })
  await expect(room.enter(anAccount('bob', 1e9)).reserve(1)).rejects.toMatchObject({ code: 'disk-full' })
})

test('an account has a few uploads at a time, and others theirs', async () => {
  const { room } = setUp({})
  const mallory = anAccount('mallory', 300)
  const [first] = Array.from({ length: 4 }, () => room.enter(mallory))
  expect(() => room.enter(mallory)).toThrow('as many uploads under way as it may (4)')
  room.enter(anAccount('bob', 300))
  first!.release()
  room.enter(mallory)
})

test('whose share is full of recordings loses the oldest of them for an upload, and nobody else does', async () => {
  const { room, recorded } = setUp({ recorded: { mallory: 500, bob: 500 } })
  await room.enter(anAccount('mallory', 1_000)).reserve(200)
  expect(recorded).toEqual({ mallory: 300, bob: 500 })
})
