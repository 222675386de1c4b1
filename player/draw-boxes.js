import { placeLabels } from './label-places.js'
import { trackColour } from './track-colour.js'

/**
 * @typedef {object} DrawnTrack As messages of detections have it, live and recorded.
 * @property {number} track_id 0 without tracking
 * @property {string} class_name
 * @property {number} confidence percent
 * @property {readonly number[]} scaled_bbox x, y, width and height as fractions of the picture
 */

const LARGE_PX = 560
const PADDING = 3

/**
 * Draws boxes and names over a picture that fills the canvas, and first the ways of the tracks, where those are known.
 * @param {HTMLCanvasElement} canvas
 * @param {readonly DrawnTrack[]} tracks
 * @param {{ trailOf?: (trackId: number) => readonly (readonly [x: number, y: number])[] }} [options] as fractions of the picture
 */
export function drawBoxes(canvas, tracks, { trailOf = () => [] } = {}) {
  const context = canvas.getContext('2d')
  if (!context) return
  const { width, height } = canvas
  const unit = devicePixelRatio
  context.clearRect(0, 0, width, height)
  for (const { track_id, scaled_bbox } of tracks) {
    const [x = 0, y = 0, boxWidth = 0, boxHeight = 0] = scaled_bbox
    const colour = trackColour(track_id)
    drawTrail(context, trailOf(track_id), colour, unit)
    outline(context, colour, unit, () =>
      context.strokeRect(x * width, y * height, boxWidth * width, boxHeight * height),
    )
  }
  drawLabels(context, tracks, unit)
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {readonly (readonly [number, number])[]} trail
 * @param {string} colour
 * @param {number} unit
 */
function drawTrail(context, trail, colour, unit) {
  if (trail.length < 2) return
  const { width, height } = context.canvas
  context.beginPath()
  for (const [x, y] of trail) context.lineTo(x * width, y * height)
  outline(context, colour, unit, () => context.stroke())
}

/**
 * Dark beneath and bright above: seen on any picture.
 * @param {CanvasRenderingContext2D} context
 * @param {string} colour
 * @param {number} unit
 * @param {() => void} stroke
 */
function outline(context, colour, unit, stroke) {
  context.lineJoin = 'round'
  context.strokeStyle = 'rgb(0 0 0 / 60%)'
  context.lineWidth = 2 * unit + 2
  stroke()
  context.strokeStyle = colour
  context.lineWidth = 2 * unit
  stroke()
}

/** @param {CanvasRenderingContext2D} context @param {readonly DrawnTrack[]} tracks @param {number} unit */
function drawLabels(context, tracks, unit) {
  const { width, height } = context.canvas
  const size = (width / unit > LARGE_PX ? 14 : 11) * unit
  context.font = `600 ${size}px system-ui, sans-serif`
  context.textBaseline = 'bottom'
  const labels = tracks.map(({ scaled_bbox: [x = 0, y = 0, boxWidth = 0, boxHeight = 0], ...track }) => ({
    box: { x: x * width, y: y * height, width: boxWidth * width, height: boxHeight * height },
    texts: namesOf(track),
  }))
  /** @param {string} text */
  const widthOf = (text) => context.measureText(text).width + 2 * PADDING
  for (const [index, place] of placeLabels(labels, { width, height, lineHeight: size + 4, widthOf }).entries())
    if (place) drawLabel(context, place, trackColour(/** @type {DrawnTrack} */ (tracks[index]).track_id))
}

/**
 * The whole name, and a shorter one for where it is crowded.
 * @param {Omit<DrawnTrack, 'scaled_bbox'>} track
 */
function namesOf({ track_id, class_name, confidence }) {
  if (track_id > 0) return [`${class_name} ${track_id}`, `${track_id}`]
  return [`${class_name} ${Math.round(confidence)} %`, class_name]
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import('./label-places.js').PlacedLabel} place
 * @param {string} colour
 */
function drawLabel(context, { text, x, y, width, height }, colour) {
  context.fillStyle = colour
  context.fillRect(x, y, width, height)
  context.fillStyle = '#000'
  context.fillText(text, x + PADDING, y + height - 1)
}
