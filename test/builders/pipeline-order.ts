import { DEFAULT_PICTURE_LIMIT } from '../../src/core/picture-limit.ts'
import { OPERATOR_RULES } from '../../src/outbound/rules.ts'
import { type PipelineOrder } from '../../src/pipeline/messages.ts'

/** The order to read a file as fast as it can be, and to track what is seen. */
export function aPipelineOrder(path: string, cacheDir: string, change: Partial<PipelineOrder> = {}): PipelineOrder {
  return {
    input: { kind: 'file', path },
    playback: { pace: 'fast', startedAtMs: 0, resumeAfterSeconds: null },
    reconnection: { silenceMs: 5_000, mayWait: false, giveUpAfterMs: null },
    outbound: OPERATOR_RULES,
    detection: { model: 'fast', confidence: null, classes: null, tiles: '1x1', threads: 1, provider: 'cpu', cacheDir },
    maxPicture: DEFAULT_PICTURE_LIMIT,
    isTracking: true,
    firstTrackId: 1,
    isPaused: false,
    geolocation: null,
    outputs: [],
    isFeedWanted: false,
    preview: null,
    keepsPictures: false,
    areScenesWanted: false,
    isCrowded: false,
    areOutputsHeld: false,
    ...change,
  }
}
