import { type YuvPlanes } from '../../core/yuv-planes.ts'
import { INK, PAPER } from './colours.ts'
import { type TextLine } from './font.ts'

/** Brightness by how much of a pixel is ink. */
const tones = Uint8Array.from({ length: 256 }, (_, share) => Math.round(PAPER.y + ((INK.y - PAPER.y) * share) / 255))

/**
 * Writes on paper, which must be there: only the brightness changes, so letters are as sharp as the picture is. Letters that
 * don't fit into the picture are left out.
 */
export function drawText({ y: luma, strideY, width, height }: YuvPlanes, line: TextLine, x: number, y: number): void {
  let left = x
  for (const { ink, width: glyphWidth, height: glyphHeight, advance } of line.glyphs) {
    const fits = left >= 0 && y >= 0 && left + glyphWidth <= width && y + glyphHeight <= height
    const start = y * strideY + left
    const end = fits ? ink.length : 0
    for (let at = 0; at < end; at += 3) luma[start + ink[at + 1]! * strideY + ink[at]!] = tones[ink[at + 2]!]!
    left += advance
  }
}
