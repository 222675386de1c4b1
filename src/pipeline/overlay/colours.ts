/** A colour as video stores it: brightness 16…235, blueness and redness around 128. */
export interface YuvColour {
  readonly y: number
  readonly u: number
  readonly v: number
}

/** BT.709 in studio range; where a video means BT.601, hues differ by a shade. */
export function yuvOf(rgb: number): YuvColour {
  const [r, g, b] = [(rgb >> 16) / 255, ((rgb >> 8) & 255) / 255, (rgb & 255) / 255] as const
  const luma = 0.2126 * r + 0.7152 * g + 0.0722 * b
  return {
    y: Math.round(16 + 219 * luma),
    u: Math.round(128 + (224 * (b - luma)) / 1.8556),
    v: Math.round(128 + (224 * (r - luma)) / 1.5748),
  }
}

export const BLACK: YuvColour = yuvOf(0x000000)
export const PAPER: YuvColour = yuvOf(0x14181c)
export const INK: YuvColour = yuvOf(0xffffff)

/** Chosen to stay far apart also for people who don't distinguish red from green; neighbours differ the most. */
export const trackColours: readonly number[] = [
  0xffdd00, 0x4378ff, 0xd2ff83, 0xc4438c, 0xffffff, 0xdd6c13, 0xbcbfff, 0x50ce87,
]

const yuvs = trackColours.map(yuvOf)

/** The same for a track's whole life. Without tracking (id 0) each class has its own. */
export function colourOf({ id, className }: { readonly id: number; readonly className: string }): YuvColour {
  const number = id > 0 ? id : Array.from(className).reduce((sum, letter) => 31 * sum + letter.codePointAt(0)!, 7)
  return yuvs[number % yuvs.length]!
}
