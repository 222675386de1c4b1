import { type OutputPicture } from './encode/output-picture.ts'
import { sizeFor } from './encode/output-size.ts'
import { createPictureScaler } from './encode/picture-scaler.ts'
import { createOverlay, type Overlay, type OverlayContent } from './overlay/overlay.ts'
import { type Picture } from './picture.ts'

/** What is drawn, but for the picture's size. */
export type Drawing = Omit<OverlayContent, 'inputSize'>

/** Scales pictures and draws the overlay on them. */
export interface PictureDrawer {
  /** Calls `use` with the drawn picture, which is released afterwards: to keep it longer, retain it. */
  draw(picture: Picture, lines: number | null, drawing: Drawing, use: (drawn: OutputPicture) => void): void
  close(): void
}

export function createPictureDrawer(): PictureDrawer {
  const scaler = createPictureScaler()
  /** One for each size, because labels keep their places. */
  const overlays = new Map<number | null, Overlay>()
  return {
    draw({ decoded: { frame, width, height } }, lines, drawing, use) {
      const inputSize = { width, height }
      const scaled = scaler.scale(frame, sizeFor(lines, inputSize))
      try {
        const overlay = overlays.get(lines) ?? createOverlay()
        overlays.set(lines, overlay)
        overlay.draw(scaled.planes, { inputSize, ...drawing })
        use(scaled)
      } finally {
        scaled.release()
      }
    },
    close: () => scaler.close(),
  }
}
