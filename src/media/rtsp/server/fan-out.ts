import { type MediaPacket } from '../../stream.ts'
import { interleave } from '../wire/interleave.ts'

/**
 * Makes sending one stream to many TCP readers cheap. Packets are gathered until a frame is whole (a part of one is of
 * no use to a decoder) or a few milliseconds have passed; then all readers of the stream write one and the same buffer,
 * in which every packet stands behind its interleaved header. So a frame costs one copy in all and one write a reader.
 */
export interface FanOut {
  /** Has `reader` flushed: at the end of this round of the event loop, or when the delay is over. */
  schedule(reader: Flushable, isUrgent: boolean): void
  /** The packets as interleaved frames (RFC 2326 §10.12), without those of tracks that have no channel. */
  frame(packets: readonly MediaPacket[], channels: Channels): Buffer
  close(): void
}

export interface Flushable {
  flush(): void
}

/** The RTP channel of each track, or -1 when the reader doesn't want it. */
export interface Channels {
  readonly ofTrack: readonly number[]
  /** The same for the same channels. */
  readonly key: string
}

export function createChannels(ofTrack: readonly number[]): Channels {
  return { ofTrack, key: ofTrack.join() }
}

const DEFAULT_DELAY_MS = 4

export function createFanOut(delayMs = DEFAULT_DELAY_MS): FanOut {
  const urgent = new Set<Flushable>()
  const patient = new Set<Flushable>()
  let immediate: NodeJS.Immediate | undefined
  let timer: NodeJS.Timeout | undefined
  /** What was made in this round, by its first packet; readers of one stream flush the same packets. */
  const made = new Map<MediaPacket, Made[]>()

  function flush(readers: Set<Flushable>): void {
    const flushed = [...readers]
    readers.clear()
    for (const reader of flushed) reader.flush()
    made.clear()
  }

  return {
    schedule(reader, isUrgent) {
      if (isUrgent) {
        patient.delete(reader)
        urgent.add(reader)
        immediate ??= setImmediate(() => {
          immediate = undefined
          flush(urgent)
        })
      } else if (!urgent.has(reader)) {
        patient.add(reader)
        timer ??= setTimeout(() => {
          timer = undefined
          flush(patient)
        }, delayMs)
      }
    },
    frame(packets, channels) {
      const [first, last] = [packets[0], packets.at(-1)]
      if (!first) return EMPTY
      const others = made.get(first) ?? []
      const same = others.find((one) => one.key === channels.key && one.count === packets.length && one.last === last)
      if (same) return same.frames
      const frames = interleaveWanted(packets, channels.ofTrack)
      made.set(first, [...others, { key: channels.key, count: packets.length, last: last!, frames }])
      return frames
    },
    close() {
      clearImmediate(immediate)
      clearTimeout(timer)
      urgent.clear()
      patient.clear()
      made.clear()
    },
  }
}

interface Made {
  readonly key: string
  readonly count: number
  readonly last: MediaPacket
  readonly frames: Buffer
}

const EMPTY = Buffer.alloc(0)

function interleaveWanted(packets: readonly MediaPacket[], channelOf: readonly number[]): Buffer {
  const wanted = packets.filter(({ track }) => channelOf[track]! >= 0)
  return interleave(wanted.map(({ track, data }) => ({ channel: channelOf[track]!, data })))
}
