import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../../test/builders/fake-clock.ts'
import { createDeferred, type Deferred } from '../../core/deferred.ts'
import { type PullOrder, type PullState } from '../messages.ts'
import { type EndReason, type Publication } from '../publication.ts'
import { createPull, type Pull } from './pull.ts'
import { LEFT, type ReadCamera, type ReadingEnd, type ReadingOptions } from './reading.ts'

let clock: FakeClock
let readers: number
let states: string[]
/** The readings of the camera so far. */
let readings: { readonly options: ReadingOptions; readonly end: Deferred<ReadingEnd> }[]
let endPublication: (reason: EndReason) => void
let mayPublish: boolean
let leavesAtOnce: boolean
let pull: Pull
beforeEach(() => {
  clock = createFakeClock()
  readers = 0
  states = []
  readings = []
  mayPublish = true
  leavesAtOnce = true
})

const read: ReadCamera = (options) => {
  const end = createDeferred<ReadingEnd>()
  readings.push({ options, end })
  options.signal.addEventListener('abort', () => leavesAtOnce && end.resolve(LEFT))
  return end.promise
}

async function begin(mode: PullOrder['mode']): Promise<void> {
  pull = createPull({
    order: { url: 'rtsp://camera/1', mode, silenceMs: 5_000 } as PullOrder,
    async publish() {
      if (!mayPublish) throw new Error('Your key is no longer good.')
      return {
        onEnd: (handler: typeof endPublication) => void (endPublication = handler),
        close: () => void (readers = 0),
      } as Publication
    },
    read,
    dial: async (hostname) => hostname,
    log: { info: () => {}, warn: () => {} },
    readers: () => readers,
    onState: (state: PullState) => void states.push('sentence' in state ? `lost: ${state.sentence}` : state.state),
    clock,
  })
  await clock.advance(0)
}

async function goLive(): Promise<void> {
  readings.at(-1)!.options.onLive()
  await clock.advance(0)
}

async function lose(sentence = 'Connection refused.', kind: 'lost' | 'unreadable' = 'lost'): Promise<void> {
  readings.at(-1)!.end.resolve({ kind, sentence })
  await clock.advance(0)
}

describe('a camera that is always connected', () => {
  test('is called at once, and again after growing waits', async () => {
    await begin('always')
    for (const waitMs of [1_000, 2_000, 4_000]) {
      const before = readings.length
      await lose()
      await clock.advance(waitMs - 1)
      expect(readings).toHaveLength(before)
      await clock.advance(1)
      expect(readings).toHaveLength(before + 1)
    }
    await goLive()
    expect(states.slice(-2)).toEqual(['connecting', 'connected'])
    await clock.advance(60_000)
    await lose('The camera has ended the stream.')
    await clock.advance(1_000)
    expect(readings).toHaveLength(5)
  })

  test('goes on without readers, and is left when it is removed', async () => {
    await begin('always')
    await goLive()
    await clock.advance(600_000)
    expect(readings[0]!.options.signal.aborted).toBe(false)
    pull.close()
    await clock.advance(100_000)
    expect(readings).toHaveLength(1)
    expect(readings[0]!.options.signal.aborted).toBe(true)
  })

  test('is not dialled while its account may not publish it', async () => {
    mayPublish = false
    await begin('always')
    expect(readings).toHaveLength(0)
    expect(states).toContain('lost: Your key is no longer good.')
  })

  test('is quoted in the sentence about it, but not at any length', async () => {
    await begin('always')
    await lose('Certificate. '.repeat(1000))
    expect(states.at(-1)).toMatch(/^lost: Certificate\. .*…$/)
    expect(states.at(-1)!.length).toBeLessThan(600)
  })

  test('is left when the hub ends its publication', async () => {
    await begin('always')
    await goLive()
    endPublication('expelled')
    expect(readings[0]!.options.signal.aborted).toBe(true)
  })

  test('is followed where it moves to, without a wait', async () => {
    await begin('always')
    await goLive()
    const there: string[] = []
    const readThere: ReadCamera = (options) => (there.push(options.url), read(options))
    readings[0]!.end.resolve({ kind: 'moved', readThere })
    await clock.advance(0)
    expect(there).toHaveLength(1)
  })
})

describe('a camera on demand', () => {
  test('is connected for a reader, and left a while after the last one', async () => {
    await begin('on-demand')
    expect(readings).toHaveLength(0)
    const live = pull.waitUntilLive()
    await clock.advance(0)
    await goLive()
    await live
    readers = 1
    await clock.advance(60_000)
    readers = 0
    for (let second = 0; second < 3; second++) await clock.advance(1_000)
    expect(readings[0]!.options.signal.aborted).toBe(true)
    expect(states.at(-1)).toBe('idle')
    expect(readings).toHaveLength(1)
  })

  test('is connected anew for a reader that comes while it is being left, which is no failure of it', async () => {
    await begin('on-demand')
    void pull.waitUntilLive()
    await clock.advance(0)
    await goLive()
    leavesAtOnce = false
    for (let second = 0; second < 16; second++) await clock.advance(1_000)
    expect(readings[0]!.options.signal.aborted).toBe(true)
    const live = pull.waitUntilLive()
    readings[0]!.end.resolve(LEFT)
    await clock.advance(0)
    expect(readings).toHaveLength(2)
    await goLive()
    await live
    expect(states).toEqual(['idle', 'connecting', 'connected', 'connecting', 'connected'])
  })

  test('that is lost while it is read has failed, and is left until somebody comes again', async () => {
    await begin('on-demand')
    void pull.waitUntilLive()
    await clock.advance(0)
    await goLive()
    readers = 1
    await clock.advance(60_000)
    await lose('The camera has ended the stream.')
    expect(states.at(-1)).toBe('lost: The camera has ended the stream.')
    await clock.advance(60_000)
    expect(states.at(-1)).toBe('idle')
    expect(readings).toHaveLength(1)
  })

  test('says what is wrong to all who wait, and is not called again at once for those who ask again', async () => {
    await begin('on-demand')
    const waiting = [pull.waitUntilLive(), pull.waitUntilLive()].map((one) =>
      expect(one).rejects.toMatchObject({ reason: 'camera-unreadable', message: 'The video is mjpeg.' }),
    )
    await clock.advance(0)
    await lose('The video is mjpeg.', 'unreadable')
    await Promise.all(waiting)
    await expect(pull.waitUntilLive()).rejects.toMatchObject({ message: 'The video is mjpeg.' })
    expect(readings).toHaveLength(1)
  })

  test('is called at once for a reader that comes during a long wait', async () => {
    await begin('on-demand')
    for (let times = 0; times < 3; times++) {
      const refused = expect(pull.waitUntilLive()).rejects.toMatchObject({ reason: 'camera-lost' })
      await clock.advance(0)
      await clock.advance(2_500)
      await lose()
      await refused
    }
    expect(readings).toHaveLength(3)
  })

  test('stays connected once it is to be recorded', async () => {
    await begin('on-demand')
    pull.setMode('always')
    await clock.advance(0)
    await goLive()
    await clock.advance(600_000)
    expect(readings[0]!.options.signal.aborted).toBe(false)
  })
})
