import { type Detection } from '../../core/detection.ts'
import { toInputBox } from './letterbox.ts'
import { type ModelFamily } from './model-family.ts'
import { createSuppressor, suppressionGroups } from './non-max-suppression.ts'

/** Boxes of one object that overlap by more than this are one. */
const maxOverlap = 0.5
/** The bound on detections in one picture (or tile). */
const detectionLimit = 300

/**
 * EfficientDet as `convert/detection-head.ts` ends it: the likeliest anchors, the best first. A box is an offset from
 * its anchor, both as (y, x, height, width) with the centre first; anchors are in fractions of the canvas.
 */
export const efficientdet: ModelFamily = {
  name: 'efficientdet',
  input: 'rgb-bytes',
  // The middle of the model's input range, which it was trained with.
  padding: 127,

  createDecoder({ classes, confidence, wanted, canvas }) {
    const groups = suppressionGroups(classes.map((known) => known?.name))
    const isWanted = classes.map((known) => known !== undefined && (wanted?.includes(known.name) ?? true))
    const suppressor = createSuppressor(detectionLimit, maxOverlap)

    return (outputs, letterbox) => {
      const { score, class: classOf, box, anchor } = outputs
      if (!score || !classOf || !box || !anchor) {
        throw new Error('This is not an EfficientDet that was converted here: outputs are missing.')
      }
      const detections: Detection[] = []
      suppressor.clear()
      for (let index = 0, at = 0; index < score.length; index++, at += 4) {
        if (!(score[index]! >= confidence)) break
        const place = classOf[index]!
        if (!isWanted[place]) continue
        const height = Math.exp(box[at + 2]!) * anchor[at + 2]! * canvas.height
        const width = Math.exp(box[at + 3]!) * anchor[at + 3]! * canvas.width
        const top = (box[at]! * anchor[at + 2]! + anchor[at]!) * canvas.height - height / 2
        const left = (box[at + 1]! * anchor[at + 3]! + anchor[at + 1]!) * canvas.width - width / 2
        if (!suppressor.offer(groups[place]!, left, top, left + width, top + height)) continue

        const inside = toInputBox(letterbox, left, top, left + width, top + height)
        // A box that lies on the padding alone shows nothing of the picture.
        if (inside.width <= 0 || inside.height <= 0) continue
        const { id, name } = classes[place]!
        detections.push({ box: inside, confidence: score[index]!, classId: id, className: name })
      }
      return detections
    }
  },
}
