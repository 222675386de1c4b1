import { type Clock, systemClock } from '../../../core/clock.ts'
import { unlessAborted } from '../../../core/deadline.ts'
import { backoffMs } from '../../../core/retry.ts'
import { type Dial } from '../../../outbound/dial.ts'
import { openRtmpPublisher, type RtmpPublisher } from './publisher.ts'
import { parseRtmpAddress } from './rtmp-address.ts'
import { type RtmpClientOptions } from './session.ts'
import { type EncodedPicture } from './video-sender.ts'

/** `waiting` to try again. */
export type RtmpPushState = 'connecting' | 'publishing' | 'waiting'

/** Pushes a stream to somebody's RTMP server for as long as it is wanted, whatever that server does. */
export interface RtmpPush {
  readonly state: RtmpPushState
  /** Why there is no stream at the moment; undefined while there is one. */
  readonly lastError: string | undefined
  /** Because the server took too little. */
  readonly droppedPictures: number
  /** Never waits and never throws; each connection begins with a keyframe. */
  write(picture: EncodedPicture): void
  /** Resolves when the connection is closed. */
  close(): Promise<void>
}

export interface RtmpPushOptions extends Pick<RtmpClientOptions, 'timeouts' | 'limits'> {
  readonly url: string
  readonly dial: Dial
  readonly onState?: (state: RtmpPushState, lastError: string | undefined) => void
  readonly clock?: Clock
  readonly ca?: string
}

/** A stream that held for so long was no failure: the next wait is short again. */
const HEALTHY_AFTER_MS = 5_000
const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 10_000

/** After so many failures in a row. */
export function pushWaitMs(failures: number): number {
  return backoffMs(failures, { firstMs: FIRST_WAIT_MS, maxMs: MAX_WAIT_MS })
}

export function createRtmpPush(options: RtmpPushOptions): RtmpPush {
  const { url, dial, onState, clock = systemClock, ca, timeouts, limits } = options
  const leaving = new AbortController()
  const { signal } = leaving
  let state: RtmpPushState = 'connecting'
  let lastError: string | undefined
  let publisher: RtmpPublisher | undefined
  let droppedBefore = 0
  const done = keepPushing()

  return {
    get state() {
      return state
    },
    get lastError() {
      return lastError
    },
    get droppedPictures() {
      return droppedBefore + (publisher?.droppedPictures ?? 0)
    },
    write: (picture) => publisher?.write(picture),
    close() {
      leaving.abort()
      return done
    },
  }

  async function keepPushing(): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      enter('connecting', lastError)
      const attempt = await pushOnce().catch((error: Error) => ({ reason: error.message, heldMs: 0 }))
      if (signal.aborted) return
      if (attempt.heldMs >= HEALTHY_AFTER_MS) failures = 0
      enter('waiting', attempt.reason)
      await clock.sleep(pushWaitMs(failures++), signal)
    }
  }

  /** Resolves when the stream has ended, rejects when there was none; also when it is not wanted any more. */
  async function pushOnce(): Promise<{ reason: string; heldMs: number }> {
    const { hostname, port } = parseRtmpAddress(url)
    const host = await unlessAborted(dial(hostname, port), signal)
    const opened = await openRtmpPublisher(url, { connect: { host, ca }, timeouts, limits, signal })
    const sinceMs = clock.steady()
    try {
      const ended = new Promise<string>((resolve) => opened.onEnd(resolve))
      publisher = opened
      enter('publishing', undefined)
      const reason = await unlessAborted(ended, signal)
      return { reason, heldMs: clock.steady() - sinceMs }
    } finally {
      publisher = undefined
      droppedBefore += opened.droppedPictures
      await opened.close()
    }
  }

  function enter(next: RtmpPushState, error: string | undefined): void {
    if (next === state && error === lastError) return
    state = next
    lastError = error
    onState?.(state, lastError)
  }
}
