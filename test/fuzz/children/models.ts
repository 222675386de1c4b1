import { createDetector } from '../../../src/pipeline/detect/detector.ts'
import { letterboxOf, wholePicture } from '../../../src/pipeline/detect/letterbox.ts'
import { serveParent } from '../../../src/supervise/child-entry.ts'
import { isSentence } from '../sentence.ts'
import { type ModelAnswer, type ModelQuestion } from './model-messages.ts'

const PICTURE = { width: 128, height: 64 }

/** Loads models that users bring, and looks at one picture with each, as a process’s worker does. */
const parent = serveParent<ModelQuestion, ModelAnswer>(
  (question) => {
    detect(question).then(
      (areNumbers) => parent.send({ type: 'detections', areNumbers }),
      (error: unknown) =>
        parent.send({ type: 'refused', sentence: (error as Error).message, isExpected: isSentence(error) }),
    )
  },
  () => {},
)

async function detect({ dir, name }: ModelQuestion): Promise<boolean> {
  const detector = await createDetector({ model: name, modelsDir: dir, cacheDir: dir, confidence: 0.1 })
  try {
    const { width, height } = detector.inputSize
    const canvas = new Uint8Array(width * height * 3).fill(51)
    const detections = await detector.detect(
      canvas,
      letterboxOf(wholePicture(PICTURE), detector.inputSize, detector.fit),
    )
    return detections.every(({ box, confidence }) => [...Object.values(box), confidence].every(Number.isFinite))
  } finally {
    await detector.close()
  }
}
