import { type Clock } from '../../core/clock.ts'
import { createDeferred, type Deferred } from '../../core/deferred.ts'
import { backoffMs } from '../../core/retry.ts'
import { shortSentence } from '../../core/sentences.ts'
import { type PullOrder, type PullState } from '../messages.ts'
import { type Publication } from '../publication.ts'
import { MediaRefusal } from '../refusal.ts'
import { type ReadCamera, type ReadingEnd, type ReadingOptions } from './reading.ts'

/** One camera that we call: connected always, or while somebody reads it, and again whenever it is lost. */
export interface Pull {
  /** Connects it if need be. Resolves when it is live; rejects with a `MediaRefusal` that says what is wrong with the camera. */
  waitUntilLive(): Promise<void>
  setMode(mode: PullOrder['mode']): void
  close(): void
}

export interface PullDeps {
  readonly order: PullOrder
  /** Takes the path in the hub; rejects with a `MediaRefusal` when that is not allowed any more. */
  readonly publish: () => Promise<Publication>
  readonly read: ReadCamera
  readonly dial: ReadingOptions['dial']
  readonly log: ReadingOptions['log']
  /** How many read it now. */
  readonly readers: () => number
  readonly onState: (state: PullState) => void
  readonly clock: Clock
}

const WAITS = { firstMs: 1_000, maxMs: 30_000 }
/** A connection that held for so long was no failure. */
const HEALTHY_AFTER_MS = 10_000
/** Readers come and go (a player is reloaded, a segment is fetched); connecting takes a camera seconds. */
const LINGER_MS = 15_000
const LOOK_EVERY_MS = 1_000
/** Somebody who asks again and again does not make us call the camera as often. */
const MIN_CALL_INTERVAL_MS = 2_000

export function createPull(deps: PullDeps): Pull {
  const { order, publish, onState, clock } = deps
  const closing = new AbortController()
  let mode = order.mode
  let isRunning = false
  let isCalling = false
  let isLive = false
  /** When somebody has wanted it last. */
  let neededAt = -Infinity
  let calledAt = -Infinity
  let failure: MediaRefusal | undefined
  const waiting = new Set<Deferred<void>>()
  /** Ends the wait before the next call. */
  let wake: () => void = () => {}

  const isNeeded = () => mode === 'always' || deps.readers() > 0 || clock.steady() - neededAt < LINGER_MS

  async function run(): Promise<void> {
    isRunning = true
    let failures = 0
    let read = deps.read
    while (!closing.signal.aborted && isNeeded()) {
      const { end, liveMs, isLeft } = await readOnce(read)
      read = end.kind === 'moved' ? end.readThere : deps.read
      if (liveMs > HEALTHY_AFTER_MS) failures = 0
      // What we ended ourselves says nothing of the camera, and whoever has come meanwhile gets it anew.
      if (end.kind === 'moved' || isLeft) continue
      fail(refusalOf(end))
      await waitBeforeNext(backoffMs(failures++, WAITS))
    }
    isRunning = false
    settle((one) => one.reject(new MediaRefusal('camera-lost', 'The camera was left; try again.')))
    if (!closing.signal.aborted) onState({ state: 'idle' })
  }

  function settle(how: (one: Deferred<void>) => void): void {
    waiting.forEach(how)
    waiting.clear()
  }

  async function readOnce(read: ReadCamera): Promise<{ end: ReadingEnd; liveMs: number; isLeft: boolean }> {
    const leaving = new AbortController()
    const signal = AbortSignal.any([closing.signal, leaving.signal])
    // Leaving takes a moment: who comes meanwhile waits for the next reading.
    signal.addEventListener('abort', () => (isLive = false), { once: true })
    let liveSince = Infinity
    calledAt = clock.steady()
    isCalling = true
    onState({ state: 'connecting' })
    let publication: Publication | undefined
    try {
      publication = await publish()
      publication.onEnd(() => leaving.abort())
      void leaveWhenUnneeded(leaving)
      const end = await read({
        ...order,
        dial: deps.dial,
        log: deps.log,
        publication,
        signal,
        onLive() {
          liveSince = clock.steady()
          isLive = true
          failure = undefined
          settle((one) => one.resolve())
          onState({ state: 'connected' })
        },
      })
      return { end, liveMs: clock.steady() - liveSince, isLeft: signal.aborted }
    } catch (error) {
      return { end: { kind: 'lost', sentence: (error as Error).message }, liveMs: 0, isLeft: signal.aborted }
    } finally {
      isCalling = false
      isLive = false
      leaving.abort()
      publication?.close()
    }
  }

  async function leaveWhenUnneeded(leaving: AbortController): Promise<void> {
    while (!leaving.signal.aborted && isNeeded()) await clock.sleep(LOOK_EVERY_MS, leaving.signal)
    leaving.abort()
  }

  function fail(refusal: MediaRefusal): void {
    failure = refusal
    onState({ state: 'lost', sentence: refusal.message })
    settle((one) => one.reject(refusal))
    // Nobody waits for it any more: it is called again for those who ask again.
    neededAt = -Infinity
  }

  async function waitBeforeNext(ms: number): Promise<void> {
    const waking = new AbortController()
    wake = () => waking.abort()
    await clock.sleep(ms, AbortSignal.any([closing.signal, waking.signal]))
  }

  const start = () => void (isRunning || closing.signal.aborted || run())

  start()
  return {
    waitUntilLive() {
      neededAt = clock.steady()
      if (isLive) return Promise.resolve()
      const isTooSoon = !isCalling && clock.steady() - calledAt < MIN_CALL_INTERVAL_MS
      if (failure && isTooSoon) return Promise.reject(failure)
      const one = createDeferred()
      waiting.add(one)
      wake()
      start()
      return one.promise
    },
    setMode(next) {
      mode = next
      start()
    },
    close: () => closing.abort(),
  }
}

/** Why nobody gets the camera's stream. */
function refusalOf({ kind, sentence }: Exclude<ReadingEnd, { kind: 'moved' }>): MediaRefusal {
  return new MediaRefusal(kind === 'unreadable' ? 'camera-unreadable' : 'camera-lost', shortSentence(sentence))
}
