/** How many pictures a second come, for encoders that must say it beforehand. */
export interface FrameRate {
  note(timeMs: number): void
  /** 25 until it is known. */
  readonly fps: number
}

const DEFAULT_FPS = 25
/** Losses and jumps are no frame intervals, nor is what lies between two keyframes of a scene at rest. */
const MAX_INTERVAL_MS = 600
const NEW_INTERVAL_WEIGHT = 0.1

export function createFrameRate(): FrameRate {
  let lastMs: number | undefined
  let intervalMs: number | undefined
  return {
    note(timeMs) {
      const stepMs = lastMs === undefined ? 0 : timeMs - lastMs
      lastMs = timeMs
      if (stepMs <= 0 || stepMs > MAX_INTERVAL_MS) return
      intervalMs = intervalMs === undefined ? stepMs : intervalMs + NEW_INTERVAL_WEIGHT * (stepMs - intervalMs)
    },
    get fps() {
      return intervalMs === undefined ? DEFAULT_FPS : Math.min(120, Math.max(1, 1000 / intervalMs))
    },
  }
}
