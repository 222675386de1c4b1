import { expect, test } from 'vitest'
import { listFoundCases } from './found-cases.ts'
import { fuzzTargets } from './targets.ts'

const cases = listFoundCases()

test.each(fuzzTargets.filter(({ name }) => cases.some(({ target }) => target === name)))(
  'what once made $name fail does so no more',
  { timeout: 180_000 },
  async (target) => {
    const uncaught: unknown[] = []
    const onUncaught = (error: unknown) => void uncaught.push(error)
    process.on('uncaughtException', onUncaught)
    const open = await target.open()
    try {
      for (const found of cases.filter((one) => one.target === target.name)) await open.feed(found.read())
      await open.settle?.()
      expect(uncaught).toEqual([])
    } finally {
      await open.close?.()
      process.off('uncaughtException', onUncaught)
    }
  },
)

test('every case that was found belongs to a target', () => {
  const names = fuzzTargets.map(({ name }) => name)
  expect(cases.filter(({ target }) => !names.includes(target))).toEqual([])
})
