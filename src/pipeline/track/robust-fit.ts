import { type Flow } from './optical-flow.ts'
import { identityTransform, type PlaneTransform } from './plane-transform.ts'
import { fitTransform, type MotionModel, similarityOf } from './transform-fit.ts'

export interface RobustFit {
  readonly transform: PlaneTransform
  /** Flows that agree with the transform. */
  readonly inliers: number
}

export interface RobustFitOptions {
  /** Distance up to which a flow may agree at first; wide, because a turning camera bends the picture. */
  readonly wide: number
  /** The same at the end: a few times the error of a flow. */
  readonly narrow: number
}

const MAX_TRIALS = 100
const MIN_FOR_PROJECTIVE = 24
/** What the projective model's four more unknowns must save, in squared gates. */
const FREEDOM_PRICE = 4

/**
 * The motion that most flows share, whatever the rest does: trials with two flows each find the crowd (RANSAC), rounds of
 * least squares with an ever narrower gate refine it. The projective model is taken only when it earns its freedom.
 */
export function fitRobustly(flows: readonly Flow[], options: RobustFitOptions): RobustFit | undefined {
  const simple = refine('similarity', flows, bestTrial(flows, options), options)
  if (!simple || simple.inliers < MIN_FOR_PROJECTIVE) return simple
  const bent = refine('projective', flows, simple.transform, options)
  const costOf = ({ transform }: RobustFit): number => cost(flows, transform, options.narrow)
  return bent && costOf(bent) + FREEDOM_PRICE < costOf(simple) ? bent : simple
}

function bestTrial(flows: readonly Flow[], { wide, narrow }: RobustFitOptions): PlaneTransform {
  // A still picture counts double: what moves before a fixed camera may well fill more than half of the view.
  let best = identityTransform
  let maxCount = 2 * countAgreeing(flows, identityTransform, narrow)
  // A fixed sequence: the same pictures give the same motion.
  let state = 1
  const draw = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * flows.length)
  }
  for (let trial = 0; trial < MAX_TRIALS && maxCount < 0.9 * flows.length; trial++) {
    const first = flows[draw()]
    const second = flows[draw()]
    if (!first || !second || first === second) continue
    const candidate = similarityOf(first, second)
    if (!candidate) continue
    const count = countAgreeing(flows, candidate, wide)
    if (count <= maxCount) continue
    maxCount = count
    best = candidate
  }
  return best
}

function refine(
  model: MotionModel,
  flows: readonly Flow[],
  start: PlaneTransform,
  { wide, narrow }: RobustFitOptions,
): RobustFit | undefined {
  let transform = start
  for (const gate of [wide, Math.sqrt(wide * narrow), narrow, narrow]) {
    const fitted = fitTransform(model, flows, weightsOf(flows, transform, gate))
    if (!fitted) return undefined
    transform = fitted
  }
  return { transform, inliers: countAgreeing(flows, transform, narrow) }
}

/** Squared distance between where a flow went and where the transform would have it, in units of the gate. */
function misfit({ from, to }: Flow, map: PlaneTransform, gate: number): number {
  // By index: unpacking an array costs more than the sums, and this is called ten thousand times a frame.
  const w = map[6] * from.x + map[7] * from.y + 1
  const dx = (map[0] * from.x + map[1] * from.y + map[2]) / w - to.x
  const dy = (map[3] * from.x + map[4] * from.y + map[5]) / w - to.y
  return (dx * dx + dy * dy) / (gate * gate)
}

function countAgreeing(flows: readonly Flow[], transform: PlaneTransform, gate: number): number {
  let count = 0
  for (const flow of flows) if (misfit(flow, transform, gate) < 1) count++
  return count
}

/** Tukey's weights: 1 for perfect agreement, falling to 0 at the gate. */
function weightsOf(flows: readonly Flow[], transform: PlaneTransform, gate: number): Float64Array {
  const weights = new Float64Array(flows.length)
  for (let i = 0; i < flows.length; i++) weights[i] = Math.max(0, 1 - misfit(flows[i]!, transform, gate)) ** 2
  return weights
}

/** Sum of squared distances in units of the gate, none counting for more than 1. */
function cost(flows: readonly Flow[], transform: PlaneTransform, gate: number): number {
  let sum = 0
  for (const flow of flows) sum += Math.min(1, misfit(flow, transform, gate))
  return sum
}
