import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createBus } from '../core/bus.ts'
import { type AppEvents } from '../core/events.ts'
import { keyRevoked } from './key-revoked.ts'

const jobWith = (purge: boolean) => ({
  id: 'job',
  kind: 'key-revoked',
  payload: { accountId: 'id', username: 'ann', purge },
  attempts: 1,
  createdAt: 0,
})

function setUp() {
  const steps: string[] = []
  const bus = createBus<AppEvents>(() => {})
  bus.on('key-revoked', async ({ purge }) => void steps.push(purge ? 'removed' : 'stopped'))
  bus.on('key-purged', ({ username }) => void steps.push(`all of ${username} is gone`))
  const store = { markPurged: async () => void steps.push('marked') }
  const kind = keyRevoked(bus, store, createFakeClock())
  return { steps, bus, handle: (purge: boolean) => kind.handle(jobWith(purge), new AbortController().signal) }
}

test('a key that was purged is said to be so when that is written', async () => {
  const { steps, handle } = setUp()
  await handle(false)
  expect(steps).toEqual(['stopped'])
  await handle(true)
  expect(steps).toEqual(['stopped', 'removed', 'marked', 'all of ann is gone'])
})

test('and is not while something of it could not be removed', async () => {
  const { steps, bus, handle } = setUp()
  bus.on('key-revoked', () => Promise.reject(new Error('The disk does not answer.')))
  await expect(handle(true)).rejects.toThrow('Not everyone')
  expect(steps).toEqual(['removed'])
})
