import { type DetectionMessage } from '@aerie/client'
import { placeLabels, type PlacedLabel } from './label-places.ts'
import { trackColour } from './track-colour.ts'
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

type Track = DetectionMessage['active_tracks'][number]

/** Draws boxes, names and trails over a picture that fills the canvas. */
export function drawOverlay(canvas: HTMLCanvasElement, scene: DetectionMessage | undefined, trails: Trails): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const { width, height } = canvas
  const unit = devicePixelRatio
  const tracks = scene?.active_tracks ?? []
  context.clearRect(0, 0, width, height)
  for (const { track_id, scaled_bbox } of tracks) {
    const [x = 0, y = 0, boxWidth = 0, boxHeight = 0] = scaled_bbox
    const colour = trackColour(track_id)
    drawTrail(context, trails.of(track_id), colour, unit)
    outline(context, colour, unit, () =>
      context.strokeRect(x * width, y * height, boxWidth * width, boxHeight * height),
    )
  }
  drawLabels(context, tracks, unit)
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

const LARGE_PX = 560
const PADDING = 3

function drawLabels(context: CanvasRenderingContext2D, tracks: readonly Track[], unit: number): void {
  const { width, height } = context.canvas
  const size = (width / unit > LARGE_PX ? 14 : 11) * unit
  context.font = `600 ${size}px system-ui, sans-serif`
  context.textBaseline = 'bottom'
  const labels = tracks.map(({ scaled_bbox: [x = 0, y = 0, boxWidth = 0, boxHeight = 0], ...track }) => ({
    box: { x: x * width, y: y * height, width: boxWidth * width, height: boxHeight * height },
    texts: namesOf(track),
  }))
  const widthOf = (text: string) => context.measureText(text).width + 2 * PADDING
  const places = placeLabels(labels, { width, height, lineHeight: size + 4, widthOf })
  for (const [index, place] of places.entries())
    if (place) drawLabel(context, place, trackColour(tracks[index]!.track_id))
}

/** The whole name, and a shorter one for where it is crowded. */
function namesOf({ track_id, class_name, confidence }: Omit<Track, 'scaled_bbox'>): string[] {
  if (track_id > 0) return [`${class_name} ${track_id}`, `${track_id}`]
  return [`${class_name} ${Math.round(confidence)} %`, class_name]
}

function drawLabel(
  context: CanvasRenderingContext2D,
  { text, x, y, width, height }: PlacedLabel,
  colour: string,
): void {
  context.fillStyle = colour
  context.fillRect(x, y, width, height)
  context.fillStyle = '#000'
  context.fillText(text, x + PADDING, y + height - 1)
}
