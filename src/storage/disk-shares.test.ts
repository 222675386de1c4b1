import { expect, test } from 'vitest'
import { chooseAccountToTrim, type DiskState, type TrimCandidate, mayGrow, shareOf, sharesOf } from './disk-shares.ts'

const holds = (accountId: string, heldBytes: number, masterId = 'admin'): TrimCandidate => ({
  accountId,
  masterId,
  heldBytes,
  removableBytes: heldBytes,
  hasRemovable: true,
})
const onlyUploads = (candidate: TrimCandidate): TrimCandidate => ({ ...candidate, hasRemovable: false })

test.each([
  { name: 'one account has it all', holders: [holds('bob', 5)], shares: { bob: 100 } },
  {
    name: 'accounts of a master divide equally',
    holders: [holds('bob', 5), holds('mallory', 90)],
    shares: { bob: 50, mallory: 50 },
  },
  {
    name: 'a master with many keys has no more than another',
    holders: [holds('bob', 5, 'bob'), ...['x', 'y', 'z', 'admin'].map((id) => holds(id, 1))],
    shares: { bob: 50, x: 12, y: 12, z: 12, admin: 12 },
  },
])('shares of a budget of 100: $name', ({ holders, shares }) => {
  expect(Object.fromEntries(sharesOf(holders, 100))).toEqual(shares)
})

test.each([
  { name: 'nobody while all fits', holders: [holds('bob', 40), holds('mallory', 60)], loses: undefined },
  { name: 'who exceeds its share', holders: [holds('bob', 50), holds('mallory', 51)], loses: 'mallory' },
  {
    name: 'who exceeds most, not who holds most',
    holders: [holds('bob', 60, 'bob'), holds('mallory', 45), holds('eve', 5)],
    loses: 'mallory',
  },
  {
    name: 'the next one when that has only uploads',
    holders: [onlyUploads(holds('mallory', 90)), holds('bob', 40), holds('eve', 35)],
    loses: 'bob',
  },
  {
    name: 'no account that is within its share, even if nothing else can go',
    holders: [onlyUploads(holds('mallory', 90)), holds('bob', 50)],
    loses: undefined,
  },
  {
    name: 'the one with one large file, not those with thousands of small ones',
    holders: [...Array.from({ length: 1000 }, (_, n) => holds(`tiny-${n}`, 0.05)), holds('bob', 60)],
    loses: 'bob',
  },
  {
    name: 'not the other master’s account, however many keys fill the disk',
    holders: [...Array.from({ length: 1000 }, (_, n) => holds(`tiny-${n}`, 0.06)), holds('bob', 50, 'bob')],
    loses: 'tiny-0',
  },
  {
    name: 'anybody when others have filled the disk',
    holders: [holds('bob', 3), holds('eve', 4)],
    limit: -5,
    loses: 'eve',
  },
  { name: 'nobody when nobody holds anything', holders: [], limit: -5, loses: undefined },
])('of a budget of 100, $name loses its oldest', ({ holders, limit = 100, loses }) => {
  expect(chooseAccountToTrim(holders, limit)).toBe(loses)
})

test('taking the oldest of who exceeds most ends with all within the budget, and nobody below its share', () => {
  const holders = [holds('a', 200), holds('b', 70), holds('c', 20), holds('d', 10)].map((one) => ({ ...one }))
  for (let loses; (loses = chooseAccountToTrim(holders, 100));)
    holders.find((one) => one.accountId === loses)!.heldBytes -= 1
  expect(holders.map(({ heldBytes }) => heldBytes)).toEqual([35, 35, 20, 10])
})

const state = (change: Partial<DiskState> = {}): DiskState => ({
  holders: [holds('bob', 30), holds('mallory', 70)],
  usedBytes: 100,
  limitBytes: 100,
  leftBytes: 0,
  diskLeftBytes: 1_000,
  ...change,
})

test('an account that comes anew counts', () => {
  expect(shareOf(state(), { id: 'bob', masterId: 'admin' })).toBe(50)
  expect(shareOf(state(), { id: 'eve', masterId: 'admin' })).toBe(33)
  expect(shareOf(state(), { id: 'other', masterId: null })).toBe(50)
  expect(shareOf(state({ limitBytes: -7 }), { id: 'bob', masterId: 'admin' })).toBe(0)
})

test.each([
  { name: 'anybody while there is room', account: 'mallory', change: {}, may: true },
  { name: 'nobody above its share without room', account: 'mallory', change: { leftBytes: -1 }, may: false },
  { name: 'one that is within its share, also without room', account: 'bob', change: { leftBytes: -1 }, may: true },
  { name: 'who holds nothing yet, also without room', account: 'eve', change: { leftBytes: -1 }, may: true },
  { name: 'nobody on a full disk', account: 'bob', change: { leftBytes: -1, diskLeftBytes: -1 }, may: false },
  { name: 'nobody again with too little room', account: 'mallory', change: { leftBytes: 9 }, margin: 10, may: false },
  { name: 'who was stopped, with room to spare', account: 'mallory', change: { leftBytes: 10 }, margin: 10, may: true },
  { name: 'who was stopped, well within its share', account: 'bob', change: { leftBytes: -1 }, margin: 20, may: true },
  { name: 'nobody again just within its share', account: 'bob', change: { leftBytes: -1 }, margin: 21, may: false },
])('more is written for $name', ({ account, change, margin, may }) => {
  expect(mayGrow(state(change), account, margin)).toBe(may)
})
