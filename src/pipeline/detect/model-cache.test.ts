import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cached } from './model-cache.ts'

let dir: string
let builds = 0

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'model-cache-'))
  builds = 0
})
afterEach(() => rm(dir, { recursive: true }))

const build = async () => {
  builds += 1
  return Uint8Array.of(1, 2, 3)
}
const ask = async (key = 'model') => [...(await cached(join(dir, 'models'), key, build))]
const onlyFile = async () => join(dir, 'models', (await readdir(join(dir, 'models')))[0]!)

describe('cached', () => {
  test('builds once and then answers what it kept', async () => {
    expect(await ask()).toEqual([1, 2, 3])
    expect(await ask()).toEqual([1, 2, 3])
    expect(builds).toBe(1)
  })

  test('builds for every key', async () => {
    await ask('one')
    await ask('two')
    expect(builds).toBe(2)
  })

  test.each([
    { name: 'a changed byte', damage: (bytes: Buffer) => bytes.fill(9, 1, 2) },
    { name: 'a changed checksum', damage: (bytes: Buffer) => bytes.fill(9, bytes.length - 1) },
    { name: 'a cut-off end', damage: (bytes: Buffer) => bytes.subarray(0, -1) },
    { name: 'an empty file', damage: () => Buffer.alloc(0) },
  ])('builds again after $name', async ({ damage }) => {
    await ask()
    const file = await onlyFile()
    await writeFile(file, damage(await readFile(file)))
    expect(await ask()).toEqual([1, 2, 3])
    expect(await ask()).toEqual([1, 2, 3])
    expect(builds).toBe(2)
  })

  test('many may ask at once, and one whole file is left', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask()))
    expect(new Set(answers.map(String))).toEqual(new Set(['1,2,3']))
    expect(await readdir(join(dir, 'models'))).toHaveLength(1)
    builds = 0
    await ask()
    expect(builds).toBe(0)
  })

  test('a failure to build leaves nothing behind and is thrown', async () => {
    const failing = cached(join(dir, 'models'), 'model', () => Promise.reject(new Error('no weights')))
    await expect(failing).rejects.toThrow('no weights')
    expect(await readdir(dir)).toEqual([])
  })

  test('what a process that died left behind is removed, what is being written is not', async () => {
    await ask('one')
    const [old, young] = ['old.tmp', 'young.tmp'].map((name) => join(dir, 'models', name))
    await writeFile(old!, '')
    await writeFile(young!, '')
    await utimes(old!, 0, 0)
    await ask('two')
    const left = await readdir(join(dir, 'models'))
    expect(left).not.toContain('old.tmp')
    expect(left).toContain('young.tmp')
  })

  test('a folder that cannot be written is named in the error', async () => {
    await writeFile(join(dir, 'models'), 'a file, not a folder')
    await expect(ask()).rejects.toThrow(/models cannot be written/)
  })
})
