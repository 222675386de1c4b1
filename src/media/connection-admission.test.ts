import { beforeEach, expect, test, vi } from 'vitest'
import { type AdmissionLimits, type AdmittedConnection, createConnectionAdmission } from './connection-admission.ts'

let ended: string[]
beforeEach(() => {
  ended = []
  vi.useFakeTimers()
})
function setUp(limits: Partial<AdmissionLimits>) {
  const admission = createConnectionAdmission(limits)
  return (name: string, address = '192.0.2.1'): AdmittedConnection | undefined =>
    admission.admit(address, () => ended.push(name))
}

const bob = { account: 'bob', isInternal: false }
const mallory = { account: 'mallory', isInternal: false }
const worker = { account: 'bob', isInternal: true }

function stream(connection: AdmittedConnection | undefined, holder = bob): void {
  connection!.accept(holder)
  connection!.setStreaming(true)
}

test('the oldest pending one of an address makes room, and other addresses are not touched', () => {
  const admit = setUp({ maxPendingPerAddress: 2 })
  admit('elsewhere', '192.0.2.2')
  for (const name of ['a', 'b', 'c', 'd']) admit(name)
  expect(ended).toEqual(['a', 'b'])
})

test('who was accepted is not asked to go', () => {
  const admit = setUp({ maxPendingPerAddress: 1 })
  admit('a')!.accept(bob)
  admit('b')
  admit('c')
  expect(ended).toEqual(['b'])
})

test.each([{ maxPerAddress: 2 }, { maxConnections: 2 }])(
  'with %o a third takes the place of a pending one, and of none that streams',
  (limits) => {
    const admit = setUp({ ...limits, reserved: 0 })
    stream(admit('a'))
    const b = admit('b')!
    const c = admit('c')!
    expect(ended).toEqual(['b'])
    stream(c)
    expect(admit('d')).toBeUndefined()
    b.leave()
    expect(admit('e')).toBeUndefined()
    c.leave()
    expect(admit('f')).toBeDefined()
  },
)

test('a pending one goes when its time is up, an accepted one stays', () => {
  const admit = setUp({ setupMs: 1000 })
  admit('slow')
  admit('accepted')!.accept(bob)
  vi.advanceTimersByTime(999)
  expect(ended).toEqual([])
  vi.advanceTimersByTime(1)
  expect(ended).toEqual(['slow'])
})

test('a pending one for which a camera is called has the time of a camera, once', () => {
  const admit = setUp({ setupMs: 1000, cameraMs: 3000 })
  const waiting = admit('waiting')!
  vi.advanceTimersByTime(900)
  waiting.extendForCamera()
  vi.advanceTimersByTime(2000)
  waiting.extendForCamera()
  vi.advanceTimersByTime(999)
  expect(ended).toEqual([])
  vi.advanceTimersByTime(1)
  expect(ended).toEqual(['waiting'])
})

test('who was accepted, or has gone, waits for nothing', () => {
  const admit = setUp({ setupMs: 1000, cameraMs: 3000 })
  const [accepted, gone] = [admit('accepted')!, admit('gone')!]
  accepted.accept(bob)
  gone.leave()
  for (const one of [accepted, gone]) one.extendForCamera()
  expect(vi.getTimerCount()).toBe(0)
})

test('nothing is left of who has gone', () => {
  const admit = setUp({ setupMs: 1000 })
  admit('a')!.leave()
  vi.advanceTimersByTime(1000)
  expect([ended, vi.getTimerCount()]).toEqual([[], 0])
})

test.each([{ maxPerAddress: 3 }, { maxConnections: 3 }])(
  'with %o who holds most gives up its oldest that does not stream',
  (limits) => {
    const admit = setUp(limits)
    stream(admit('streams'), mallory)
    for (const name of ['idle 1', 'idle 2', 'idle 3']) admit(name)!.accept(mallory)
    expect(ended).toEqual(['idle 1'])
    admit('bob’s')!.accept(bob)
    expect(ended).toEqual(['idle 1', 'idle 2'])
    admit('bob’s other')!.accept(bob)
    expect(ended).toEqual(['idle 1', 'idle 2', 'idle 3'])
  },
)

test('who stops streaming may have to go', () => {
  const admit = setUp({ maxPerAddress: 1 })
  const first = admit('first')
  stream(first)
  admit('second')!.accept(bob)
  expect(ended).toEqual(['second'])
  first!.setStreaming(false)
  admit('third')!.accept(bob)
  expect(ended).toEqual(['second', 'first'])
})

test('a worker of ours finds room where all others stream, and is never chosen', () => {
  const admit = setUp({ maxPerAddress: 2, maxConnections: 2 })
  for (const name of ['a', 'b']) stream(admit(name), mallory)
  const workers = ['worker 1', 'worker 2', 'worker 3'].map((name) => admit(name)!)
  for (const one of workers) one.accept(worker)
  admit('c')!.accept(mallory)
  expect(ended).toEqual(['c'])
  for (const one of workers) one.leave()
  expect([ended, vi.getTimerCount()]).toEqual([['c'], 0])
})

test('who has yet to say who it is has a place though others stream on all', () => {
  const admit = setUp({ maxPerAddress: 1, reserved: 2 })
  stream(admit('a'))
  for (const name of ['b', 'c', 'd']) expect(admit(name)).toBeDefined()
  expect(ended).toEqual(['b'])
})
