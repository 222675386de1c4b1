/** What a worker makes: a path's segments from this number on. */
export interface HlsRun {
  readonly firstSequence: number
  /** Its stream has ended; what it made can still be fetched for a moment. */
  readonly isOver: boolean
}

export interface HlsSituation {
  /** A name that a playlist gave, or `index.m3u8`. */
  readonly file: string
  /** Somebody begins to watch. */
  readonly isFirst: boolean
  readonly isLive: boolean
  readonly newest: HlsRun | undefined
  /** The one before, when its stream broke off just now. */
  readonly earlier: HlsRun | undefined
}

/** Who answers: pieces come from the run that made them; only who has been watching hears of a stream that is gone. */
export function chooseRun(situation: HlsSituation): 'newest' | 'earlier' | 'another' | 'nobody' {
  const { file, isFirst, isLive, newest, earlier } = situation
  const piece = /^(?:init-)?(\d+)\./.exec(file)
  if (piece && earlier && !(newest && Number(piece[1]) >= newest.firstSequence)) return 'earlier'
  if (piece && newest) return 'newest'
  if (newest && (isLive ? !newest.isOver : !isFirst)) return 'newest'
  return isLive ? 'another' : 'nobody'
}
