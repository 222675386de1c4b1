import { createDetector, type Detector } from './detect/detector.ts'
import { type DetectionOrder } from './messages.ts'
import { PipelineError } from './pipeline-error.ts'

/** Less is noise for the tracker too. */
const MIN_CONFIDENCE = 0.1
/** What is reported without tracking, unless the user says otherwise. */
export const DEFAULT_CONFIDENCE = 0.3

/** Rejects with a `PipelineError` when the model cannot be used. */
export async function loadDetector(
  { model, cacheDir, modelsDir, threads, provider, confidence, classes }: DetectionOrder,
  isTracking: boolean,
): Promise<Detector> {
  const wanted = confidence ?? DEFAULT_CONFIDENCE
  try {
    return await createDetector({
      model,
      cacheDir,
      modelsDir,
      threads,
      provider,
      // Tracks are followed through moments in which they are hardly seen.
      confidence: isTracking ? Math.min(MIN_CONFIDENCE, wanted) : wanted,
      ...(classes && { classes }),
    })
  } catch (error) {
    throw new PipelineError('model-unusable', (error as Error).message, { cause: error })
  }
}
