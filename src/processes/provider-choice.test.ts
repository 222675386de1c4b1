import { expect, test, vi } from 'vitest'
import { createLog } from '../observe/log.ts'
import { systemClock } from '../core/clock.ts'
import { chooseProvider } from './provider-choice.ts'

const log = createLog({ level: 'silent' })
const works = vi.fn(async () => {})
const fails = vi.fn(async () => {
  throw new Error('there is no driver.')
})
const choose = (wanted: Parameters<typeof chooseProvider>[0], tryOut: typeof works) =>
  chooseProvider(wanted, { clock: systemClock, log, tryOut })

test('the CPU is not tried out', async () => {
  expect(await choose('cpu', fails)).toEqual({ used: 'cpu' })
  expect(fails).not.toHaveBeenCalled()
})

test('an accelerator that works is used', async () => {
  expect(await choose('webgpu', works)).toEqual({ used: 'webgpu' })
  expect(await choose('auto', works)).toEqual({ used: 'cuda' })
})

test('one that does not work is replaced by the CPU, and a sentence says why', async () => {
  expect(await choose('cuda', fails)).toEqual({
    used: 'cpu',
    problem: 'AERIE_INFERENCE=cuda does not work here, so the CPU computes the models: there is no driver.',
  })
})

test('who lets us choose is not told what is missing', async () => {
  expect(await choose('auto', fails)).toEqual({ used: 'cpu' })
})
