import { type Size } from '../../core/detection.ts'
import { createFont, type Font } from './font.ts'

/** Sizes in pixels of one resolution, such that lines and letters look the same at each. */
export interface OverlayStyle {
  /** Even, because colour is stored for every other pixel. */
  readonly lineWidth: number
  /** Of the dark rim that lets lines stand out from any ground. */
  readonly rim: number
  readonly label: TextStyle
  readonly notice: TextStyle
}

export interface TextStyle {
  readonly font: Font
  /** Even. */
  readonly lineHeight: number
  /** Left and right of the text. */
  readonly padding: number
  /** Of the coloured bar in front of a label; even. */
  readonly barWidth: number
}

export function overlayStyleFor({ width, height }: Size): OverlayStyle {
  const short = Math.min(width, height)
  const lineWidth = 2 * Math.max(1, Math.round(short / 540))
  // Smaller letters can't be read.
  const capHeight = Math.max(8, Math.round(short / 62))
  return {
    lineWidth,
    rim: Math.max(1, Math.round(lineWidth / 4)),
    label: textStyle(capHeight),
    notice: textStyle(Math.round(1.5 * capHeight)),
  }
}

function textStyle(capHeight: number): TextStyle {
  return {
    font: createFont(capHeight),
    lineHeight: 2 * Math.round(0.85 * capHeight),
    padding: Math.round(0.5 * capHeight),
    barWidth: 2 * Math.round(0.2 * capHeight),
  }
}
