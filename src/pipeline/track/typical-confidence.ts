/**
 * The confidence that a detector usually gives to true objects of a class. Detectors differ (one says 0.98 where another
 * says 0.55), and so do classes; by this scale "confident" means the same for all.
 */
export interface TypicalConfidence {
  of(classId: number): number
  /** A detection of an object that is believed in. */
  learn(classId: number, confidence: number): void
}

/** For how many detections' worth something is assumed at first. */
const assumedWeight = 20
/** The older half of what was learnt counts half from here on, so that night follows day. */
const memory = 300

export function createTypicalConfidence(assumed: number): TypicalConfidence {
  const classes = new Map<number, { sum: number; count: number }>()
  const start = { sum: assumed * assumedWeight, count: assumedWeight }

  return {
    of(classId) {
      const { sum, count } = classes.get(classId) ?? start
      return sum / count
    },
    learn(classId, confidence) {
      const { sum, count } = classes.get(classId) ?? start
      const fade = count >= memory ? 0.5 : 1
      classes.set(classId, { sum: (sum + confidence) * fade, count: (count + 1) * fade })
    },
  }
}
