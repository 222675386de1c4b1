import { type DetectionMessage } from '@aerie/client'
import { trackColour } from './track-colour.ts'
import { type Trails } from './trails.ts'

export interface DrawnBox {
  readonly track_id: number
  /** As fractions of the picture: x, y, width, height. */
  readonly box: readonly number[]
}

/** What is told by the canvas's event `drawn`, for whoever wants to check the picture. */
export interface Drawn {
  readonly rtp_timestamp: number | null | undefined
  readonly boxes: readonly DrawnBox[]
}

/** Draws boxes, names and trails over a picture that fills the canvas. */
export function drawOverlay(canvas: HTMLCanvasElement, scene: DetectionMessage | undefined, trails: Trails): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const { width, height } = canvas
  const unit = devicePixelRatio
  const isLarge = width / unit > 560
  context.clearRect(0, 0, width, height)
  context.font = `600 ${(isLarge ? 14 : 11) * unit}px system-ui, sans-serif`
  context.textBaseline = 'bottom'
  const tracks = scene?.active_tracks ?? []
  for (const { track_id, class_name, confidence, scaled_bbox } of tracks) {
    const [x = 0, y = 0, boxWidth = 0, boxHeight = 0] = scaled_bbox
    const colour = trackColour(track_id)
    drawTrail(context, trails.of(track_id), colour, unit)
    outline(context, colour, unit, () =>
      context.strokeRect(x * width, y * height, boxWidth * width, boxHeight * height),
    )
    const name = track_id > 0 ? `${class_name} ${track_id}` : `${class_name} ${Math.round(confidence)} %`
    drawLabel(context, name, x * width, y * height, colour)
  }
  canvas.dispatchEvent(
    new CustomEvent<Drawn>('drawn', {
      detail: {
        rtp_timestamp: scene?.frame.rtp_timestamp,
        boxes: tracks.map(({ track_id, scaled_bbox }) => ({ track_id, box: scaled_bbox })),
      },
    }),
  )
}

function drawTrail(
  context: CanvasRenderingContext2D,
  trail: readonly (readonly [number, number])[],
  colour: string,
  unit: number,
): void {
  if (trail.length < 2) return
  const { width, height } = context.canvas
  context.beginPath()
  for (const [x, y] of trail) context.lineTo(x * width, y * height)
  outline(context, colour, unit, () => context.stroke())
}

/** Dark beneath and bright above: seen on any picture. */
function outline(context: CanvasRenderingContext2D, colour: string, unit: number, stroke: () => void): void {
  context.lineJoin = 'round'
  context.strokeStyle = 'rgb(0 0 0 / 60%)'
  context.lineWidth = 2 * unit + 2
  stroke()
  context.strokeStyle = colour
  context.lineWidth = 2 * unit
  stroke()
}

function drawLabel(context: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string): void {
  const { width } = context.measureText(text)
  const size = Number.parseInt(context.font.split(' ')[1] ?? '12')
  const left = Math.min(Math.max(0, x), context.canvas.width - width - 6)
  const bottom = Math.max(size + 4, y)
  context.fillStyle = colour
  context.fillRect(left, bottom - size - 4, width + 6, size + 4)
  context.fillStyle = '#000'
  context.fillText(text, left + 3, bottom - 1)
}
