import { expect, test } from 'vitest'
import { createDeferred } from './deferred.ts'
import { createTurns } from './turns.ts'

test('work on one thing is done in turn, on another meanwhile; what fails does not stop the next', async () => {
  const turns = createTurns()
  const done: string[] = []
  const first = createDeferred<void>()
  const failing = turns.take('a', async () => {
    await first.promise
    done.push('first')
    throw new Error('failed')
  })
  const second = turns.take('a', async () => void done.push('second'))
  await turns.take('b', async () => void done.push('other'))
  expect(done).toEqual(['other'])
  expect(turns.keys()).toEqual(['a'])

  first.resolve()
  await expect(failing).rejects.toThrow('failed')
  await second
  expect(done).toEqual(['other', 'first', 'second'])
  expect(turns.keys()).toEqual([])
})
