import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { type ProgressWriter } from '../core/progress-writer.ts'
import { createProgressWriter } from './progress-writer.ts'

let clock: FakeClock
let saved: Record<string, number>[]
let errors: number
let isDiskFull: boolean
let writer: ProgressWriter<number>

beforeEach(() => {
  clock = createFakeClock()
  ;[saved, errors, isDiskFull] = [[], 0, false]
  writer = createProgressWriter<number>(
    {
      async save(progress) {
        if (isDiskFull) throw new Error('The disk is full.')
        saved.push(Object.fromEntries(progress))
      },
      everyMs: 250,
      onError: () => void (errors += 1),
    },
    clock,
  )
})

describe('progress', () => {
  test('is written after a moment, the newest of each together', async () => {
    writer.writeSoon('a', 1)
    writer.writeSoon('b', 1)
    writer.writeSoon('a', 2)
    expect(saved).toEqual([])
    await clock.advance(250)
    expect(saved).toEqual([{ a: 2, b: 1 }])
  })

  test('that is written at once takes the place of what was to be written soon', async () => {
    writer.writeSoon('a', 1)
    await writer.write('a', 2)
    await clock.advance(250)
    expect(saved).toEqual([{ a: 2 }])
  })

  test('that could not be written is written again, unless there is newer', async () => {
    isDiskFull = true
    await expect(writer.write('a', 0)).rejects.toThrow('full')
    for (const id of ['a', 'b']) writer.writeSoon(id, 1)
    await clock.advance(250)
    expect(errors).toBe(1)
    isDiskFull = false
    writer.writeSoon('a', 2)
    await clock.advance(250)
    expect(saved).toEqual([{ a: 2, b: 1 }])
  })

  test('of one that was forgotten, or of all when they are discarded, is not written', async () => {
    for (const id of ['a', 'b']) writer.writeSoon(id, 1)
    writer.forget('a')
    await writer.flush()
    expect(saved).toEqual([{ b: 1 }])
    writer.writeSoon('c', 1)
    await writer.discard()
    await clock.advance(1_000)
    expect(saved).toEqual([{ b: 1 }])
  })
})
