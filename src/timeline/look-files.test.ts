import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { aLookAt } from '../../test/builders/recorded-looks.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { appendAt, blocksWithin, inBlocks, looksOf, MAX_BLOCK_SIGHTINGS, mendFile, toBlock } from './look-files.ts'

const T0 = Date.UTC(2026, 10, 16, 3)
const folder = useTemporaryFolder('aerie-look-files-')
const pathOf = () => join(folder(), 'detections/cam/1.looks')
const at = (seconds: number, ids = [1]) => aLookAt(T0 + seconds * 1000, ids)

test('a block is of ten seconds at the most, also where a clock is set back', () => {
  const looks = [0, 5, 9.9, 10, 12, 3, 21, 500].map((seconds) => at(seconds))
  const lengths = [...inBlocks(looks)].map((some) => some.length)
  expect(lengths).toEqual([3, 3, 1, 1])
  expect([...inBlocks([])]).toEqual([])
})

test('a block has no more sightings than are read at once', () => {
  const crowd = Array.from({ length: 900 }, (_, index) => index + 1)
  const lengths = [...inBlocks([0, 1, 2, 3, 4].map((second) => at(second, crowd)))].map((some) => some.length)
  expect(lengths).toEqual([2, 2, 1])
  const huge = Array.from({ length: MAX_BLOCK_SIGHTINGS + 1 }, (_, index) => index + 1)
  expect([...inBlocks([at(0, huge), at(1)])].map((some) => some.length)).toEqual([1, 1])
})

test('what is appended is read again, and only the blocks of the stretch', async () => {
  let size = 0
  for (const second of [0, 10, 20]) {
    const block = await toBlock([at(second), at(second + 5)])
    expect(await appendAt(pathOf(), block, size)).toBe(true)
    size += block.length
  }
  const blocks = blocksWithin(readFileSync(pathOf()), { from: T0 + 12_000, to: T0 + 20_000 })
  expect(blocks).toHaveLength(1)
  expect(await looksOf(blocks[0]!)).toEqual([at(10), at(15)])
})

test('what a failed write has left behind is written over', async () => {
  const block = await toBlock([at(0)])
  await appendAt(pathOf(), block, 0)
  appendFileSync(pathOf(), 'half a block')
  await appendAt(pathOf(), block, block.length)
  expect(readFileSync(pathOf()).equals(Buffer.concat([block, block]))).toBe(true)
})

test('to a file that somebody has removed nothing is appended', async () => {
  const block = await toBlock([at(0)])
  await appendAt(pathOf(), block, 0)
  rmSync(dirname(pathOf()), { recursive: true })
  expect(await appendAt(pathOf(), block, block.length)).toBe(false)
})

test('wherever a crash has torn a file, what is whole stays', async () => {
  const [first, second] = [await toBlock([at(0)]), await toBlock([at(10)])]
  await appendAt(pathOf(), first, 0)
  for (let length = 0; length < second.length; length++) {
    writeFileSync(pathOf(), Buffer.concat([first, second.subarray(0, length)]))
    expect((await mendFile(pathOf()))!.equals(first)).toBe(true)
    expect(readFileSync(pathOf()).equals(first)).toBe(true)
  }
  rmSync(pathOf())
  expect(await mendFile(pathOf())).toBeUndefined()
  expect(existsSync(pathOf())).toBe(false)
})
