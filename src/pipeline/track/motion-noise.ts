/**
 * How unsteadily things move on the screen, learnt from how far predictions were off. Before a fixed camera, people keep their
 * pace, and trusting their momentum carries identities through crossings; from a shaking one, nothing does.
 */
export interface MotionNoise {
  /** In sizes / s^1.5; see `MotionFilter.predict`. */
  readonly value: number
  /** A squared error of prediction in units of what was expected. */
  learn(surprise: number): void
}

const ASSUMED_NOISE = 0.6
const MIN_VALUE = 0.25
const MAX_VALUE = 1.5
/** The surprise that is aimed at. Less than 1, because a filter that is a little too agile loses fewer than one too sluggish. */
const WANTED_SURPRISE = 0.65
/** Step by which each surprise changes the logarithm: some 25 detections make up one's mind. */
const LEARNING_RATE = 0.04
/** One wild jump is more likely a mix-up than news. */
const MAX_NEWS = 2

export function createMotionNoise(): MotionNoise {
  let value = ASSUMED_NOISE
  return {
    get value() {
      return value
    },
    learn(surprise) {
      const news = Math.min(MAX_NEWS, surprise - WANTED_SURPRISE)
      value = Math.min(MAX_VALUE, Math.max(MIN_VALUE, value * Math.exp(LEARNING_RATE * news)))
    },
  }
}
