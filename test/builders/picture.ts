import { type Picture, type SeenPicture } from '../../src/pipeline/picture.ts'

export interface FakePicture extends SeenPicture {
  readonly isReleased: () => boolean
}

/** A picture without pixels, at a place on the time line. */
export function aPicture({
  timeMs = 0,
  width = 200,
  height = 100,
  breaks = 0,
  detections = [],
}: {
  timeMs?: number
  width?: number
  height?: number
  breaks?: number
  detections?: SeenPicture['detections']
} = {}): FakePicture {
  let holders = 1
  const decoded = {
    width,
    height,
    retain: () => void holders++,
    release() {
      if (holders === 0) throw new Error('A picture was released twice.')
      holders--
    },
  } as Picture['decoded']
  const times = { takenAtMs: timeMs, arrivedMs: timeMs, timeMs, rtpTimestamp: null }
  return {
    ...times,
    decoded,
    ptsSeconds: timeMs / 1000,
    breaks,
    detections,
    detectedAtMs: timeMs,
    isReleased: () => holders === 0,
  }
}

/** A source that gives what the test puts in, when it does. */
export function createHandFed<T>(): AsyncIterable<T> & { put(item: T): void; end(): void; fail(error: Error): void } {
  const steps: (() => IteratorResult<T>)[] = []
  let wake = () => {}
  const add = (step: () => IteratorResult<T>) => {
    steps.push(step)
    wake()
  }
  return {
    put: (value) => add(() => ({ value, done: false })),
    end: () => add(() => ({ value: undefined, done: true })),
    fail: (error) =>
      add(() => {
        throw error
      }),
    [Symbol.asyncIterator]: () => ({
      async next() {
        while (steps.length === 0) await new Promise<void>((resolve) => (wake = resolve))
        return steps.shift()!()
      },
    }),
  }
}

/** Lets everything run that waits for nothing but its turn. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
