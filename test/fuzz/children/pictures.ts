import { PictureError, readPicture } from '../../../src/enhance/picture/read-picture.ts'
import { serveParent } from '../../../src/supervise/child-entry.ts'
import { type PictureAnswer, type PictureQuestion } from './picture-messages.ts'

/** Reads pictures as the enhancement does, one after the other. */
const parent = serveParent<PictureQuestion, PictureAnswer>(
  ({ file }) => {
    readPicture(file).then(
      ({ width, height, rgb }) => parent.send({ type: 'picture', isWhole: rgb.length === 3 * width * height }),
      (error: unknown) =>
        parent.send({ type: 'refused', sentence: String(error), isExpected: error instanceof PictureError }),
    )
  },
  () => {},
)
