import { setImmediate as nextRound } from 'node:timers/promises'
import { type Publication } from '../../publication.ts'
import { type SenderReport } from '../../stream.ts'
import { type TimeSlice } from '../../time-slice.ts'

/** As much of a publication as demuxing needs. */
export type WritablePublication = Pick<Publication, 'path' | 'start' | 'write' | 'report'>

/**
 * Keeps what a message became until it is flushed, in turns: one of 8 MB is thousands of packets, and each goes to all readers.
 * Bounded by what a message may hold, since the next one is taken when all has gone to the hub.
 */
export interface PublicationInTurns extends WritablePublication {
  /** In the order in which it was written. A promise when the rest waits for the next rounds. */
  flush(): void | Promise<void>
}

type Written = { readonly track: number; readonly data: Buffer } | { readonly report: SenderReport }

/** `onRound` is called in each round that the rest waits for: the publisher’s messages are not read meanwhile. */
export function createPublicationInTurns(
  publication: WritablePublication,
  slice: TimeSlice,
  onRound: () => void = () => {},
): PublicationInTurns {
  let waiting: Written[] = []

  function handOn(written: Written): void {
    if ('report' in written) publication.report(written.report)
    else publication.write(written.track, written.data)
  }

  async function flushRest(rest: readonly Written[]): Promise<void> {
    await nextRound()
    for (const written of rest) {
      handOn(written)
      if (!slice.isOverAfterStep()) continue
      onRound()
      await nextRound()
    }
  }

  return {
    path: publication.path,
    start: (description) => publication.start(description),
    write: (track, data) => void waiting.push({ track, data }),
    report: (report) => void waiting.push({ report }),
    flush() {
      const written = waiting
      waiting = []
      for (const [index, one] of written.entries()) {
        handOn(one)
        if (slice.isOverAfterStep() && index < written.length - 1) return flushRest(written.slice(index + 1))
      }
    },
  }
}
