/** What a worker makes: a path's segments from this number on. */
export interface HlsRun {
  readonly firstSequence: number
  /** Its stream has ended; what it made can still be fetched for a moment. */
  readonly isOver: boolean
}

export interface HlsSituation<Run extends HlsRun> {
  /** A name that a playlist gave, or `index.m3u8`. */
  readonly file: string
  /** A player begins to watch. */
  readonly isFirst: boolean
  readonly isLive: boolean
  /** The newest last. */
  readonly runs: readonly Run[]
}

/**
 * Which run answers; `start`: a new one has to be started. Pieces come from the run that made them; only viewers from before still
 * get a stream that is gone.
 */
export function chooseRun<Run extends HlsRun>(situation: HlsSituation<Run>): Run | 'start' | 'not-live' {
  const { file, isFirst, isLive, runs } = situation
  const newest = runs.at(-1)
  const piece = /^(?:init-)?(\d+)\./.exec(file)
  if (piece && newest) return runs.findLast(({ firstSequence }) => firstSequence <= Number(piece[1])) ?? newest
  if (isLive) return newest && !newest.isOver ? newest : 'start'
  return newest && !isFirst ? newest : 'not-live'
}

/** A worker learns from the media server itself that its stream is over, often before the path is known to be gone. */
const NOTICE_MS = 500

/** Whether a stream that was over can be had again: another publisher has come, or only the worker had lost it. */
export function isBack(path: { isLive: boolean; wasGone: boolean; waitedMs: number }): boolean {
  return path.isLive && (path.wasGone || path.waitedMs >= NOTICE_MS)
}
