import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useTemporaryFolder } from '../support/temporary-folder.ts'
import { listFoundCases } from './found-cases.ts'
import { runTarget } from './run-target.ts'
import { type FuzzTarget, type OpenTarget } from './target.ts'

const folder = useTemporaryFolder('aerie-fuzz-')

/** Takes two random bytes. */
function aTarget(feed: OpenTarget['feed'], more: Partial<FuzzTarget & OpenTarget> = {}): FuzzTarget {
  const open = () => ({ create: (random: { bytes(length: number): Buffer }) => random.bytes(2), feed, ...more })
  return { name: 'two', about: 'two bytes', counts: { short: 1, long: 1 }, open, ...more }
}

const run = (target: FuzzTarget, seed = 1, count = 500) =>
  runTarget(target, { seed, limit: { count }, foundFolder: folder() })

test('all inputs are fed, and counted', async () => {
  const fed: string[] = []
  const result = await run(aTarget((input) => void fed.push(input.toString('hex'))))
  expect(result.inputs).toBe(500)
  expect(fed).toHaveLength(500)
  expect(new Set(fed).size).toBeGreaterThan(400)
})

test('the first input that fails is kept, and its seed makes it again', async () => {
  const target = aTarget((input) => {
    if (input[0]! < 8) throw new Error('small')
  })
  const failure = await run(target).catch((error: Error) => error)
  expect(failure).toMatchObject({ cause: { message: 'small' } })
  const [found, ...others] = listFoundCases(folder())
  expect(others).toEqual([])
  expect(found!.read()[0]).toBeLessThan(8)
  const { message } = failure as Error
  expect(message).toContain(join('two', found!.file))
  const seed = Number(/--seed (\d+)/.exec(message)![1])
  await expect(run(target, seed, 1)).rejects.toThrow(`--seed ${seed} --count 1`)
})

test.each([
  ['rejects', async () => Promise.reject(new Error('later'))],
  ['throws where nobody catches', () => new Promise<void>((done) => setImmediate(done)).then(() => void throwLater())],
])('one that %s fails too', async (_name, feed) => {
  const target = aTarget(async () => {
    await feed()
    await new Promise((resolve) => setTimeout(resolve, 5))
  })
  await expect(run(target, 1, 3)).rejects.toMatchObject({ cause: { message: 'later' } })
})

test('what the last input left behind and nobody caught fails too', async () => {
  const settle = () => new Promise<void>((done) => setTimeout(done, 20))
  const target = aTarget(() => void setTimeout(() => throwAtOnce('late'), 5), { settle })
  await expect(run(target, 1, 1)).rejects.toMatchObject({ cause: { message: 'late' } })
})

function throwAtOnce(message: string): never {
  throw new Error(message)
}

function throwLater(): void {
  setImmediate(() => {
    throw new Error('later')
  })
}

test('several are fed at the same time, and the one that failed is named', async () => {
  let underWay = 0
  let maxUnderWay = 0
  const feed = async (input: Buffer) => {
    maxUnderWay = Math.max(maxUnderWay, ++underWay)
    await new Promise((resolve) => setImmediate(resolve))
    underWay--
    if (input[1] === 9) throw new Error('nine')
  }
  await expect(run(aTarget(feed, { parallel: 4 }))).rejects.toMatchObject({ cause: { message: 'nine' } })
  expect(maxUnderWay).toBe(4)
  for (const { target, file } of listFoundCases(folder())) expect(readFileSync(join(folder(), target, file))[1]).toBe(9)
})

test('what is kept of every input is found at the end', async () => {
  const kept: Buffer[] = []
  const target = aTarget(() => void kept.push(Buffer.alloc(2 ** 20)))
  await expect(run(target, 1, 100)).rejects.toThrow(/two: \d+ MB of memory were kept, from seed 1 on/)
})

test('what is left behind is found before the memory is measured', async () => {
  const settle = () => Promise.reject(new Error('A path is left.'))
  await expect(run(aTarget(() => {}, { settle }))).rejects.toThrow('A path is left.')
})

test('one whose seeds bring other inputs each time is no target', async () => {
  let made = 0
  await expect(run(aTarget(() => {}, { create: () => Buffer.of(made++) }))).rejects.toThrow('does not bring its input')
})
