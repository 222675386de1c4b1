import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDiskReserve, type DiskReserve } from './disk-reserve.ts'

const MB = 2 ** 20
let folder: string
let freeBytes: number
let reserve: DiskReserve
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aerie-reserve-'))
  freeBytes = 72 * MB
  reserve = createDiskReserve(`sqlite:${join(folder, 'other.db')}`, () => freeBytes)
})
afterEach(() => rmSync(folder, { recursive: true }))

const heldBytes = () => statSync(join(folder, 'other.db-reserve')).size

test('it is beside the database, for its owner only, and given up only when the disk is full', async () => {
  await reserve.fill()
  expect(heldBytes()).toBe(8 * MB)
  reserve.makeRoom('key-revocation')
  expect(heldBytes()).toBe(8 * MB)
  freeBytes = 0
  reserve.makeRoom('removal')
  expect(heldBytes()).toBe(7 * MB)
})

test.each([
  ['removal', 4],
  ['revocation', 2],
  ['key-revocation', 0],
] as const)('by %s it is given up to %i MB, and filled again with room', async (work, leftMb) => {
  await reserve.fill()
  freeBytes = 0
  for (let i = 0; i < 10; i++) reserve.makeRoom(work)
  expect(heldBytes()).toBe(leftMb * MB)
  freeBytes = 72 * MB
  await reserve.fill()
  expect(heldBytes()).toBe(8 * MB)
})

test('a disk with less than 72 MB free has none', async () => {
  freeBytes -= 1
  await reserve.fill()
  expect(readdirSync(folder)).toEqual([])
})

test('a folder that is not there has none either, and is not made', () => {
  createDiskReserve(`sqlite:${join(folder, 'new', 'aerie.db')}`).makeRoom('key-revocation')
  expect(existsSync(join(folder, 'new'))).toBe(false)
})

test('there is none for PostgreSQL', async () => {
  const none = createDiskReserve('postgres://localhost/aerie')
  await none.fill()
  none.makeRoom('key-revocation')
  expect(existsSync('postgres://localhost/aerie-reserve')).toBe(false)
})
