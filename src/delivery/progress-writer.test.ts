import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createDeferred, type Deferred } from '../core/deferred.ts'
import { type ProgressWriter } from '../core/delivery.ts'
import { createProgressWriter } from './progress-writer.ts'

let clock: FakeClock
let saved: Record<string, number>[]
let errors: number
let isDiskFull: boolean
/** While there is one, a write waits for it, and fails with it. */
let pendingSave: Promise<void> | undefined
let writer: ProgressWriter<number>

beforeEach(() => {
  clock = createFakeClock()
  ;[saved, errors, isDiskFull, pendingSave] = [[], 0, false, undefined]
  writer = createProgressWriter<number>(
    {
      async save(progress) {
        await pendingSave
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

  describe('of which a delayed write is under way and fails', () => {
    let firstSave: Deferred<void>
    beforeEach(async () => {
      firstSave = createDeferred()
      pendingSave = firstSave.promise
      for (const id of ['a', 'b']) writer.writeSoon(id, 1)
      await clock.advance(250)
      pendingSave = undefined
    })
    const failFirst = async () => {
      firstSave.reject(new Error('The disk is full.'))
      await clock.advance(0)
      await clock.advance(250)
    }

    test('is not written over what was written at once since', async () => {
      const written = writer.write('a', 2)
      await failFirst()
      await written
      expect(saved).toEqual([{ a: 2 }, { b: 1 }])
    })

    test('is not written over what was flushed since', async () => {
      writer.writeSoon('a', 2)
      const flushed = writer.flush()
      await failFirst()
      await flushed
      expect(saved).toEqual([{ a: 2, b: 1 }])
    })

    test('is written by a flush that began before it failed', async () => {
      const flushed = writer.flush()
      await failFirst()
      await flushed
      expect(saved).toEqual([{ a: 1, b: 1 }])
    })

    test('is not written again once it was forgotten', async () => {
      writer.forget('a')
      await failFirst()
      expect(saved).toEqual([{ b: 1 }])
    })
  })
})
