import { type Font } from './font.ts'
import { type YuvPlanes } from './yuv-planes.ts'

export interface Tones {
  /** Brightness of the letters, and of what they stand on. */
  readonly ink: number
  readonly paper: number
}

/** Writes on an evenly filled ground: only the brightness changes, so letters are as sharp as the picture is. */
export function drawText(
  planes: YuvPlanes,
  font: Font,
  text: string,
  x: number,
  y: number,
  { ink, paper }: Tones,
): void {
  const lines = Math.min(font.height, planes.height - y)
  let left = x
  for (const { width, mask, advance } of font.glyphs(text)) {
    const visible = Math.min(width, planes.width - left)
    for (let line = Math.max(0, -y); line < lines; line++) {
      const to = (y + line) * planes.strideY + left
      const from = line * width
      for (let column = Math.max(0, -left); column < visible; column++) {
        const share = mask[from + column]!
        if (share > 0) planes.y[to + column] = paper + ((ink - paper) * share) / 255
      }
    }
    left += advance
  }
}
