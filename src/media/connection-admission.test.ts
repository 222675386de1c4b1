import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AdmissionLimits, type AdmittedConnection, createConnectionAdmission } from './connection-admission.ts'

let ended: string[]
beforeEach(() => {
  ended = []
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

function setUp(limits: Partial<AdmissionLimits>) {
  const admission = createConnectionAdmission(limits)
  return (name: string, address = '192.0.2.1'): AdmittedConnection | undefined =>
    admission.admit(address, () => ended.push(name))
}

test('the oldest pending one of an address makes room, and other addresses are not touched', () => {
  const admit = setUp({ maxPendingPerAddress: 2 })
  admit('elsewhere', '192.0.2.2')
  for (const name of ['a', 'b', 'c', 'd']) admit(name)
  expect(ended).toEqual(['a', 'b'])
})

test('who was granted something is not asked to go', () => {
  const admit = setUp({ maxPendingPerAddress: 1 })
  admit('a')!.grant()
  admit('b')
  admit('c')
  expect(ended).toEqual(['b'])
})

test.each([{ maxPerAddress: 2 }, { maxConnections: 2 }])(
  'with %o a third takes the place of a pending one',
  (limits) => {
    const admit = setUp(limits)
    admit('a')!.grant()
    const b = admit('b')!
    const c = admit('c')!
    expect(ended).toEqual(['b'])
    c.grant()
    expect(admit('d')).toBeUndefined()
    b.leave()
    expect(admit('e')).toBeUndefined()
    c.leave()
    expect(admit('f')).toBeDefined()
  },
)

test('a pending one goes when its time is up, a granted one stays', () => {
  const admit = setUp({ setupMs: 1000 })
  admit('slow')
  admit('granted')!.grant()
  vi.advanceTimersByTime(999)
  expect(ended).toEqual([])
  vi.advanceTimersByTime(1)
  expect(ended).toEqual(['slow'])
})

test('nothing is left of who has gone', () => {
  const admit = setUp({ setupMs: 1000 })
  admit('a')!.leave()
  vi.advanceTimersByTime(1000)
  expect([ended, vi.getTimerCount()]).toEqual([[], 0])
})
