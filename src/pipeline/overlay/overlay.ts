import { type Box, type Size } from '../../core/detection.ts'
import { type YuvPlanes } from '../../core/yuv-planes.ts'
import { colourOf, PAPER } from './colours.ts'
import { type Font, type TextLine } from './font.ts'
import { drawOutline, outlineAround } from './outline.ts'
import { createLabelPlacer } from './label-placement.ts'
import { drawLine } from './line.ts'
import { type OverlayStyle, overlayStyleFor, type TextStyle } from './overlay-style.ts'
import { labelLines, type OverlayTrack } from './overlay-track.ts'
import { drawText } from './text.ts'
import { type Trail } from './trails.ts'
import { fillBox } from './fill-box.ts'

export interface OverlayContent {
  /** The size that boxes and trails are measured in. */
  readonly inputSize: Size
  readonly tracks: readonly OverlayTrack[]
  readonly trails?: readonly Trail[]
  /** A sentence for the middle of the picture. */
  readonly notice?: string | undefined
}

/** Draws what was found into pictures of one output. Their size may change from one to the next. */
export interface Overlay {
  draw(planes: YuvPlanes, content: OverlayContent): void
}

/** Of the picture by labels that show places; more would hide what they are about. */
const MAX_COVERED = 0.2

export function createOverlay(): Overlay {
  const labels = createLabelPlacer()
  let styled: { readonly size: Size; readonly style: OverlayStyle } | undefined

  /** Whether labels may show places too. */
  let hasRoom = true

  function styleFor({ width, height }: Size): OverlayStyle {
    if (styled?.size.width !== width || styled.size.height !== height) {
      styled = { size: { width, height }, style: overlayStyleFor({ width, height }) }
    }
    return styled.style
  }

  /** `tracks` in the order of importance: the first keep the best places. */
  function drawLabels(
    planes: YuvPlanes,
    tracks: readonly OverlayTrack[],
    outlines: readonly Box[],
    style: OverlayStyle,
  ) {
    const { font, lineHeight, padding, barWidth } = style.label
    const lines = tracks.map((track) => labelLines(track).map((line) => font.layOut(line)))
    const areas = lines.map((of) => of.length * lineHeight * Math.max(...of.map(({ width }) => width)))
    const share = areas.reduce((sum, area) => sum + area, 0) / (planes.width * planes.height)
    // Two bounds, so that labels don't jump between one line and two.
    hasRoom = share < (hasRoom ? MAX_COVERED : MAX_COVERED * 0.75)
    const texts = hasRoom ? lines : lines.map((of) => of.slice(0, 1))
    const wishes = tracks.map(({ id }, index) => {
      const lines = texts[index]!
      const width = barWidth + 2 * padding + Math.max(...lines.map((line) => line.width))
      return { id, box: outlines[index]!, width: 2 * Math.ceil(width / 2), height: lines.length * lineHeight }
    })
    for (const [index, place] of labels.place(wishes, planes).entries()) {
      fillBox(planes, place, PAPER)
      fillBox(planes, { ...place, width: barWidth }, colourOf(tracks[index]!))
      for (const [row, line] of texts[index]!.entries()) {
        const y = place.y + row * lineHeight + Math.round((lineHeight - font.capHeight) / 2)
        drawText(planes, line, place.x + barWidth + padding, y)
      }
    }
  }

  return {
    draw(planes, { inputSize, tracks, trails = [], notice }) {
      const style = styleFor(planes)
      const [scaleX, scaleY] = [planes.width / inputSize.width, planes.height / inputSize.height]
      for (const trail of trails) drawTrail(planes, trail, scaleX, scaleY, style)

      const visible = tracks.filter(({ box }) => intersects(box, inputSize)).sort((a, b) => a.id - b.id)
      const outlines = visible.map(({ box: { x, y, width, height } }) =>
        outlineAround({ x: x * scaleX, y: y * scaleY, width: width * scaleX, height: height * scaleY }, style, planes),
      )
      for (const [index, track] of visible.entries()) {
        drawOutline(planes, outlines[index]!, colourOf(track), style, track.isGuessed ?? false)
      }
      drawLabels(planes, visible, outlines, style)
      if (notice) drawNotice(planes, notice, style.notice)
    },
  }
}

/** Thinner and fainter the longer ago. */
function drawTrail(planes: YuvPlanes, trail: Trail, scaleX: number, scaleY: number, { lineWidth }: OverlayStyle): void {
  const colour = colourOf(trail)
  for (let index = 1; index < trail.points.length; index++) {
    const from = trail.points[index - 1]!
    const to = trail.points[index]!
    const strength = 1 - to.age
    const pen = { colour, width: 1 + 0.75 * lineWidth * strength, opacity: 0.2 + 0.7 * strength }
    drawLine(planes, from.x * scaleX, from.y * scaleY, to.x * scaleX, to.y * scaleY, pen)
  }
}

function intersects({ x, y, width, height }: Box, size: Size): boolean {
  return x < size.width && y < size.height && x + width > 0 && y + height > 0
}

/** A sentence in the middle of the picture, on as many lines as it needs. */
function drawNotice(planes: YuvPlanes, sentence: string, { font, lineHeight, padding }: TextStyle): void {
  const lines = wrap(sentence, font, planes.width - 4 * padding)
  const width = 2 * Math.ceil((Math.max(...lines.map((line) => line.width)) + 4 * padding) / 2)
  const height = lines.length * lineHeight + 2 * padding
  const left = 2 * Math.round((planes.width - width) / 4)
  const top = 2 * Math.round((planes.height - height) / 4)
  fillBox(planes, { x: left, y: top, width, height }, PAPER)
  for (const [index, line] of lines.entries()) {
    const x = Math.round((planes.width - line.width) / 2)
    const y = top + padding + index * lineHeight + Math.round((lineHeight - font.capHeight) / 2)
    drawText(planes, line, x, y)
  }
}

function wrap(sentence: string, font: Font, room: number): TextLine[] {
  const lines: string[] = []
  for (const word of sentence.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`
    if (lines.length > 0 && font.layOut(longer).width <= room) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.map((line) => font.layOut(line))
}
