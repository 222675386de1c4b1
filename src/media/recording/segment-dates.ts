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
 * before ended, so that dates don't tremble with the network, unless its arrival contradicts that: it is much later, or pictures are
 * there before they would have been taken, as where the first file was begun while the machine was busy.
 */
export interface SegmentDates {
  /** In whole milliseconds since 1970, as far as is known by now. */
  begin(picture: ArrivedPicture): number
  observe(picture: ArrivedPicture): void
  /** When the file began that ends now: what it began with may have come late, as if it waited until somebody read it. */
  end(): number
}

/** The quickest picture of so long says when a file began; over a longer time the camera's clock may go wrong against ours. */
const OBSERVED_MS = 10_000
/** A later arrival contradicts by more than this. */
const MAX_TREMBLE_MS = 1_000

interface DatedFile {
  readonly ptsMs: number
  readonly arrivedAtMs: number
  readonly isFirst: boolean
  readonly isDatedBySender: boolean
  date: number
}

export function createSegmentDates(): SegmentDates {
  let file: DatedFile | undefined
  const programDateTime = createProgramDateTime()

  /** Where the stream's time says that it is, counted on from the file before. */
  function continued({ ptsMs, arrivedAtMs }: ArrivedPicture): number | undefined {
    const date = file && file.date + ptsMs - file.ptsMs
    return date !== undefined && Math.abs(date - arrivedAtMs) <= MAX_TREMBLE_MS ? date : undefined
  }

  function observe({ ptsMs, arrivedAtMs, sentAtMs }: ArrivedPicture): void {
    if (!file || Math.abs(arrivedAtMs - file.arrivedAtMs) > OBSERVED_MS) return
    if (file.isFirst) {
      programDateTime.observe(ptsMs / 1000, arrivedAtMs, sentAtMs)
      file.date = programDateTime.at(file.ptsMs / 1000)
    } else if (!file.isDatedBySender) file.date = Math.min(file.date, Math.round(arrivedAtMs - ptsMs + file.ptsMs))
  }

  return {
    begin(picture) {
      const { ptsMs, arrivedAtMs, sentAtMs } = picture
      const sent = plausibleSenderTime(sentAtMs, arrivedAtMs)
      const date = Math.round(sent ?? continued(picture) ?? arrivedAtMs)
      file = { ptsMs, arrivedAtMs, isFirst: file === undefined, isDatedBySender: sent !== undefined, date }
      observe(picture)
      return file.date
    },
    observe,
    end: () => file!.date,
  }
}
