import { createBoundedQueue } from '../../../core/bounded-queue.ts'
import { createDeadline } from '../../../core/deadline.ts'
import { type AccessUnit } from '../../rtp/access-unit.ts'
import { NAL_UNIT_CODECS } from '../../rtp/nal-unit-codecs.ts'
import { createSenderClock } from '../../rtp/sender-clock.ts'
import { type VideoTrack } from '../../stream.ts'
import { RtspClientError } from './client-error.ts'
import { type RtspPlayerHandlers } from './player.ts'
import { type RtspTarget } from './rtsp-target.ts'

export interface ArrivedUnit extends AccessUnit {
  /** On the steady clock, and on the wall's. */
  readonly arrivedMs: number
  readonly arrivedAtMs: number
  /** When it was taken, by the sender's clock; undefined when that is not known. */
  readonly wallClockMs: number | undefined
}

/** Between a player that must not wait and a reader that may be slow: packets go in, pictures come out. */
export interface UnitInbox extends RtspPlayerHandlers {
  /** From now on silence is counted. */
  expect(): void
  /** Ends once what waits has been taken. */
  units(): AsyncIterable<ArrivedUnit>
  /** Why it ended: where the stream continues, or an error whose message is a sentence. */
  outcome(): RtspTarget
}

/** Some seconds of video: a reader further behind will not catch up. */
const MAX_WAITING_UNITS = 300
const MAX_WAITING_BYTES = 64 * 1024 * 1024

export function createUnitInbox({ codec, clockRate }: VideoTrack, silenceMs: number): UnitInbox {
  const queue = createBoundedQueue<ArrivedUnit>({ limit: MAX_WAITING_UNITS, overflow: 'refuse' })
  const depacketizer = NAL_UNIT_CODECS[codec].createDepacketizer()
  const clock = createSenderClock(clockRate)
  let waitingBytes = 0
  let hasBegun = false
  let ended: { readonly reason: string; readonly moved: RtspTarget | undefined } | undefined
  const silence = createDeadline(() => finish(`Nothing has come for ${silenceMs / 1000} s.`))
  let isExpecting = false

  function finish(reason: string, moved?: RtspTarget): void {
    ended ??= { reason, moved }
    silence.clear()
    queue.close()
  }

  function add(unit: AccessUnit): void {
    hasBegun = true
    waitingBytes += sizeOf(unit)
    const wallClockMs = clock.at(unit.timestamp)
    const arrived = { ...unit, arrivedMs: performance.now(), arrivedAtMs: Date.now(), wallClockMs }
    if (waitingBytes > MAX_WAITING_BYTES || !queue.push(arrived)) finish('The machine is too slow for this stream.')
  }

  return {
    packet(_track, data) {
      if (ended) return
      if (isExpecting) silence.set(silenceMs)
      for (const unit of depacketizer.push(data)) add(unit)
    },
    report: (report) => clock.report(report),
    end: (reason, moved) => finish(`The stream has ended: ${reason}.`, moved),
    expect() {
      if (ended) return
      isExpecting = true
      silence.set(silenceMs)
    },
    async *units() {
      for await (const unit of queue) {
        waitingBytes -= sizeOf(unit)
        yield unit
      }
    },
    outcome() {
      if (ended?.moved) return ended.moved
      const sentence = ended?.reason ?? 'The stream has ended.'
      throw hasBegun ? new Error(sentence) : new RtspClientError('no-answer', sentence)
    },
  }
}

const sizeOf = ({ nalUnits }: AccessUnit) => nalUnits.reduce((sum, { length }) => sum + length, 0)
