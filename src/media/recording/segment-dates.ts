import { plausibleSenderTime } from '../../core/clock.ts'
import { createProgramDateTime } from '../program-date-time.ts'

/** A picture that has arrived: its place in the stream's time, and what the clocks say. */
export interface ArrivedPicture {
  readonly ptsMs: number
  readonly arrivedAtMs: number
  /** By the sender's clock, where RTCP carried it. */
  readonly sentAtMs: number | undefined
}

/**
 * When the files of a recording begin, by the wall clock: by the sender's where there is one. Otherwise each begins where the one
 * before ended, so that dates don't tremble with the network, unless its arrival contradicts that.
 */
export interface SegmentDates {
  /** In whole milliseconds since 1970, as far as is known by now. */
  begin(picture: ArrivedPicture): number
  observe(picture: ArrivedPicture): void
  /** When the file began that ends now: the first one came late, if it waited until somebody read it. */
  end(): number
}

/** The quickest picture of so long says when the first file began. */
const OBSERVED_MS = 10_000
/** An arrival contradicts by more than this. */
const MAX_TREMBLE_MS = 1_000

export function createSegmentDates(): SegmentDates {
  let file: { readonly ptsMs: number; readonly arrivedAtMs: number; date: number; isFinal: boolean } | undefined
  const programDateTime = createProgramDateTime()

  /** Where the stream's time says that it is, counted on from the file before. */
  function continued({ ptsMs, arrivedAtMs }: ArrivedPicture): number | undefined {
    const date = file && file.date + ptsMs - file.ptsMs
    return date !== undefined && Math.abs(date - arrivedAtMs) <= MAX_TREMBLE_MS ? date : undefined
  }

  function observe({ ptsMs, arrivedAtMs, sentAtMs }: ArrivedPicture): void {
    if (!file || file.isFinal || Math.abs(arrivedAtMs - file.arrivedAtMs) > OBSERVED_MS) return
    programDateTime.observe(ptsMs / 1000, arrivedAtMs, sentAtMs)
    file.date = programDateTime.at(file.ptsMs / 1000)
  }

  return {
    begin(picture) {
      const { ptsMs, arrivedAtMs, sentAtMs } = picture
      const isFirst = file === undefined
      const date = Math.round(plausibleSenderTime(sentAtMs, arrivedAtMs) ?? continued(picture) ?? arrivedAtMs)
      file = { ptsMs, arrivedAtMs, date, isFinal: !isFirst }
      observe(picture)
      return file.date
    },
    observe,
    end: () => file!.date,
  }
}
