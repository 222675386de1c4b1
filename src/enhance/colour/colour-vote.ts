import { type NamedColour } from '../messages.ts'
import { colourNames } from './colour-names.ts'
import { type ColourShares, normalised } from './colour-shares.ts'

/** What one picture says. */
export interface ColourOpinion {
  readonly shares: ColourShares
  /** How much it counts, above 0. */
  readonly weight: number
}

/** A colour is told only if it has so much of all votes, and so many times those of the next. */
const MIN_SHARE = 0.38
const MIN_LEAD = 1.25

/** The colour that several pictures of one thing agree on; null when it is too mixed to tell. */
export function voteColour(opinions: readonly ColourOpinion[]): NamedColour | null {
  const sums: ColourShares = new Float64Array(colourNames.length)
  for (const { shares, weight } of opinions) for (const [name, share] of shares.entries()) sums[name]! += weight * share
  const ranked = [...normalised(sums).entries()].sort(([, a], [, b]) => b - a)
  const [[name, share], [, next]] = [ranked[0]!, ranked[1]!]
  if (share < MIN_SHARE || share < MIN_LEAD * next) return null
  return { name: colourNames[name]!, confidence: Math.round(share * 1000) / 1000 }
}
