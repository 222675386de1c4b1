import { type DetectionMessage } from '@aerie/client'
import { drawBoxes } from '../../../player/draw-boxes.js'
import { type Trails } from './trails.ts'

export interface DrawnBox {
  readonly track_id: number
  /** As fractions of the picture: x, y, width, height. */
  readonly box: readonly number[]
}

/** The detail of the canvas's event `drawn`, by which tests check the picture. */
export interface Drawn {
  readonly rtp_timestamp: number | null | undefined
  readonly boxes: readonly DrawnBox[]
}

/** Draws boxes, names and trails over a picture that fills the canvas. */
export function drawOverlay(canvas: HTMLCanvasElement, scene: DetectionMessage | undefined, trails: Trails): void {
  const tracks = scene?.active_tracks ?? []
  drawBoxes(canvas, tracks, { trailOf: (trackId) => trails.of(trackId) })
  canvas.dispatchEvent(
    new CustomEvent<Drawn>('drawn', {
      detail: {
        rtp_timestamp: scene?.frame.rtp_timestamp,
        boxes: tracks.map(({ track_id, scaled_bbox }) => ({ track_id, box: scaled_bbox })),
      },
    }),
  )
}
