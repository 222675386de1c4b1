import { existsSync, mkdirSync, statSync } from 'node:fs'
import { copyFile, type FileHandle, mkdir, open as openFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { systemClock } from '../core/clock.ts'
import { createLog } from '../observe/log.ts'
import { openSpoolFile } from './spool-file.ts'
import { valueOf } from './spool-index.ts'
import { createSpool, type Spool } from './spool.ts'

const MB = 2 ** 20
const folder = useTemporaryFolder('aerie-spool-')
const path = () => join(folder(), 'delivery.spool')
let freeBytes: number
let lines: string[]
let opened: Spool[]
let spool: Spool

async function open(at = path()): Promise<Spool> {
  const log = createLog({ level: 'error', write: (line) => void lines.push(line) })
  const one = createSpool({ path: at, clock: systemClock, log, freeBytesOn: () => freeBytes })
  opened.push(one)
  await one.open()
  return one
}
beforeEach(async () => {
  freeBytes = 8 * MB
  lines = []
  opened = []
  spool = await open()
  await spool.fill()
})
afterEach(() => Promise.all(opened.map((one) => one.close())))

const put = (key: string, value: unknown = key, { kind = 'a', owner = 'one' } = {}) =>
  spool.put(kind, new Map([[key, value]]), owner)
const keysIn = (one: Spool, kind = 'a') => one.list(kind, Infinity).map(({ key }) => key)
const valuesIn = (one: Spool, kind = 'a') => one.list(kind, Infinity).map((entry) => valueOf(entry))

describe('its room', () => {
  test.each([
    { free: 7, size: 0 },
    { free: 8, size: 1 },
    { free: 72, size: 9 },
    { free: 500, size: 32 },
  ])('of $free MB that are free it takes $size', async ({ free, size }) => {
    freeBytes = free * MB
    const other = await open(join(folder(), 'other'))
    await other.fill()
    expect(statSync(join(folder(), 'other'), { throwIfNoEntry: false })?.size ?? 0).toBe(size * MB)
  })

  test('is taken anew by the next start when there is more, unless something waits', async () => {
    await put('1')
    freeBytes = 500 * MB
    const next = await open()
    await next.fill()
    expect(keysIn(next)).toEqual(['1'])
    expect(statSync(path()).size).toBe(MB)
    await next.remove(next.list('a', 1))
    const last = await open()
    await last.fill()
    expect(statSync(path()).size).toBe(32 * MB)
  })

  test('stays what it was where no larger one can be made, and that is logged', async () => {
    const log = createLog({ level: 'warn', write: (line) => void lines.push(line) })
    await spool.close()
    const freeBytesOn = () => {
      // Where the new one is to be made something else is in the way.
      mkdirSync(`${path()}.new`, { recursive: true })
      return 500 * MB
    }
    const next = createSpool({ path: path(), clock: systemClock, log, freeBytesOn })
    opened.push(next)
    await next.open()
    expect(lines).toHaveLength(1)
    await next.put('a', new Map([['1', 1]]), 'one')
    expect([statSync(path()).size, keysIn(next)]).toEqual([MB, ['1']])
  })

  test('without any, everything is refused', async () => {
    const other = await open(join(folder(), 'other'))
    await expect(other.put('a', new Map([['1', 1]]), 'one')).rejects.toThrow('has no room')
    expect(existsSync(join(folder(), 'other'))).toBe(false)
  })

  test('is never more than it was', async () => {
    for (let round = 0; round < 80; round++) await put('1', 'x'.repeat(10_000))
    expect(statSync(path()).size).toBe(MB)
    expect(valuesIn(await open())).toEqual(['x'.repeat(10_000)])
  })
})

test('what was put is there after a kill, by kind, in the order in which it came', async () => {
  await Promise.all(['3', '1', '2'].map((key) => put(key)))
  await put('1', { of: 'another kind' }, { kind: 'b' })
  const next = await open()
  expect([keysIn(next), valuesIn(next, 'b')]).toEqual([['3', '1', '2'], [{ of: 'another kind' }]])
  expect(next.countOf('c')).toBe(0)
})

test('of each key the newest is there, at the place of the first', async () => {
  for (const [key, value] of [['1', 'old'], ['2', null], ['1', 'new']] as const) await put(key, value) // prettier-ignore
  expect(valuesIn(await open())).toEqual(['new', null])
})

test('what is removed is gone after a kill too, but not what took its place meanwhile', async () => {
  for (const key of ['1', '2', '3']) await put(key)
  const [first, second] = spool.list('a', 2)
  await Promise.all([put('2', 'newer'), spool.remove([first!, second!])])
  expect(valuesIn(spool)).toEqual(['newer', '3'])
  expect(valuesIn(await open())).toEqual(['newer', '3'])
})

test('killed at any byte of a write, it has everything that was written before', async () => {
  await put('1')
  const before = await readFile(path())
  await Promise.all([put('2'), spool.remove(spool.list('a', 1)), put('3')])
  const after = await readFile(path())
  const changed = [...after.keys()].filter((at) => after[at] !== before[at])
  const seen = new Set<string>()
  const copy = join(folder(), 'copy')
  await copyFile(path(), copy)
  for (let count = 0; count <= changed.length; count++) {
    const torn = Buffer.from(before)
    for (const at of changed.slice(0, count)) torn[at] = after[at]!
    await writeFile(copy, torn)
    const one = await open(copy)
    seen.add(keysIn(one).join(' '))
    await one.close()
  }
  expect([...seen]).toEqual(['1', '1 2', '2', '2 3'])
})

test('what has no room is refused, the newest; what is there stays, and with room again more is taken', async () => {
  const value = 'x'.repeat(50_000)
  const taken: string[] = []
  for (let key = 0; key < 20; key++)
    await put(String(key), value).then(
      () => taken.push(String(key)),
      () => {},
    )
  expect(taken).toEqual(['0', '1', '2'])
  expect(keysIn(await open())).toEqual(taken)
  await spool.remove(spool.list('a', 2))
  await put('more', value)
  expect(keysIn(await open())).toEqual([...taken.slice(2), 'more'])
})

describe('an account has no more than it leaves free', () => {
  const take = (owner: string, count: number, length: number) =>
    Promise.allSettled(
      Array.from({ length: count }, (_, index) => put(`${owner} ${index}`, 'x'.repeat(length), { owner })),
    ).then((outcomes) => outcomes.filter(({ status }) => status === 'fulfilled').length)

  test('of what is large', async () => {
    expect(await take('one', 200, 1_000)).toBe(189)
    expect(await take('two', 200, 1_000)).toBe(94)
    expect(await take('three', 200, 1_000)).toBe(47)
    // What is in the place of as much takes nothing from the others.
    await put('one 0', 'y'.repeat(1_000))
    await expect(put('one 0', 'y'.repeat(1_001))).rejects.toThrow('has no room')
    await put('one 0', '')
  })

  test('of ten thousand', async () => {
    freeBytes = 500 * MB
    spool = await open(join(folder(), 'other'))
    await spool.fill()
    const entries = (first: number, count: number) =>
      new Map(Array.from({ length: count }, (_, index) => [String(first + index), index]))
    await spool.put('a', entries(0, 5_000), 'one')
    await expect(put('one more')).rejects.toThrow('has no room')
    await spool.put('a', entries(5_000, 2_500), 'two')
    await expect(put('one more', '', { owner: 'two' })).rejects.toThrow('has no room')
    await put('0', 'newer')
    await put('one more', '', { owner: 'three' })
    expect((await open(join(folder(), 'other'))).countOf('a')).toBe(7_501)
  })

  test('of which it gets as much again as was removed, also by the next start', async () => {
    await take('one', 200, 1_000)
    const next = await open()
    await expect(next.put('a', new Map([['more', 'x'.repeat(1_000)]]), 'one')).rejects.toThrow('has no room')
    await next.remove(next.list('a', 1))
    await next.put('a', new Map([['more', 'x'.repeat(1_000)]]), 'one')
    expect(next.countOf('a')).toBe(189)
  })
})

test('what an earlier version has left is of no account, and is there', async () => {
  await spool.close()
  const { file } = (await openSpoolFile(path()))!
  await file.append([Buffer.from(JSON.stringify(['a', '1', { of: 'an earlier version' }]))])
  await file.close()
  spool = await open()
  expect(valuesIn(spool)).toEqual([{ of: 'an earlier version' }])
  await put('1', 'newer')
  await put('2')
  expect(valuesIn(await open())).toEqual(['newer', '2'])
})

test('a file that cannot be read is made anew, and that is logged', async () => {
  await spool.close()
  await writeFile(path(), Buffer.alloc(MB))
  const next = await open()
  expect(lines).toHaveLength(1)
  await next.fill()
  await next.put('a', new Map([['1', 1]]), 'one')
  expect(keysIn(await open())).toEqual(['1'])
})

test('one that cannot be opened is left as it is and not used, and that is logged', async () => {
  const other = join(folder(), 'other')
  await mkdir(other)
  const next = await open(other)
  await next.fill()
  expect(lines).toHaveLength(1)
  await expect(next.put('a', new Map([['1', 1]]), 'one')).rejects.toThrow('has no room')
  expect(statSync(other).isDirectory()).toBe(true)
})

test('where none can be made, that is logged once, and it is made when that is possible', async () => {
  const other = join(folder(), 'missing', 'other')
  const next = await open(other)
  for (let pass = 0; pass < 3; pass++) await next.fill()
  expect(lines).toHaveLength(1)
  await mkdir(join(folder(), 'missing'))
  await next.fill()
  await next.put('a', new Map([['1', 1]]), 'one')
  expect(keysIn(await open(other))).toEqual(['1'])
})

test('what a service left that was killed while it made one is removed', async () => {
  await writeFile(`${path()}.new`, 'unfinished')
  await open()
  expect(existsSync(`${path()}.new`)).toBe(false)
})

describe('a disk that fails when it is flushed', () => {
  let disk: FileHandle
  beforeEach(async () => {
    const handle = await openFile(path())
    await handle.close()
    disk = Object.getPrototypeOf(handle) as FileHandle
    for (const key of ['1', '2']) await put(key)
  })
  afterEach(() => vi.restoreAllMocks())
  const fail = () => vi.spyOn(disk, 'datasync').mockRejectedValue(Object.assign(new Error('EIO'), { code: 'EIO' }))

  test('does not take what is put; what was there before stays, and what it has all the same is gone soon', async () => {
    const failing = fail()
    await expect(put('1', 'newer')).rejects.toThrow('EIO')
    await expect(put('3')).rejects.toThrow('EIO')
    expect(valuesIn(spool)).toEqual(['1', '2'])
    expect(valuesIn(await open())).not.toEqual(['1', '2'])
    failing.mockRestore()
    await spool.fill()
    expect(valuesIn(await open())).toEqual(['1', '2'])
    await put('3')
    expect(valuesIn(await open())).toEqual(['1', '2', '3'])
  })

  test('keeps nobody from removing what the database has; it is gone from the disk when that works again', async () => {
    const failing = fail()
    await spool.remove(spool.list('a', 1))
    expect(keysIn(spool)).toEqual(['2'])
    expect(lines).toHaveLength(1)
    failing.mockRestore()
    await put('3')
    expect(keysIn(await open())).toEqual(['2', '3'])
  })
})
