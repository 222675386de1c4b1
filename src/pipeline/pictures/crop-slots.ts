/** A view of an object that was kept. */
export interface View {
  /** When its time of choice began: within it, only a better picture of the same view is kept. */
  readonly sinceMs: number
  readonly quality: number
}

/** Views that are kept of a vehicle. */
const MAX_VIEWS = 5
/** Pictures nearer in time than this show the same. */
const SAME_VIEW_MS = 1_000
/** A picture has to be better by this much to be worth its cutting and sending. */
export const CLEARLY_BETTER = 1.15

/**
 * Where a picture of this quality goes, or undefined if it is not wanted: into the slot of the same view if it is clearly better, else
 * into a free slot, else into that of the worst view if it is clearly better than that.
 */
export function chooseSlot(views: readonly View[], timeMs: number, quality: number): number | undefined {
  const same = views.findIndex(({ sinceMs }) => Math.abs(timeMs - sinceMs) < SAME_VIEW_MS)
  if (same < 0 && views.length < MAX_VIEWS) return views.length
  const slot = same < 0 ? worstOf(views) : same
  return quality > CLEARLY_BETTER * views[slot]!.quality ? slot : undefined
}

/** The view as it is after a picture went into its slot. */
export function viewAfter(before: View | undefined, timeMs: number, quality: number): View {
  const isSame = before !== undefined && Math.abs(timeMs - before.sinceMs) < SAME_VIEW_MS
  return { sinceMs: isSame ? before.sinceMs : timeMs, quality }
}

/** The least quality that could find a place now: cheaper to know than the quality itself. */
export function minWantedQuality(views: readonly View[], timeMs: number): number {
  const same = views.find(({ sinceMs }) => Math.abs(timeMs - sinceMs) < SAME_VIEW_MS)
  if (same) return CLEARLY_BETTER * same.quality
  return views.length < MAX_VIEWS ? 0 : CLEARLY_BETTER * views[worstOf(views)]!.quality
}

function worstOf(views: readonly View[]): number {
  return views.reduce((worst, { quality }, slot) => (quality < views[worst]!.quality ? slot : worst), 0)
}
