export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** What may be written at a box: the whole name, or less where there is no room for it. */
export interface Label {
  readonly box: Box
  readonly texts: readonly string[]
}

export interface PlacedLabel extends Box {
  readonly text: string
}

export interface Room {
  readonly width: number
  readonly height: number
  readonly lineHeight: number
  readonly widthOf: (text: string) => number
}

/** Where names stand so that none covers another: above their boxes, else below, else shorter; crowded out, one has no name. */
export function placeLabels(labels: readonly Label[], room: Room): (PlacedLabel | undefined)[] {
  const taken: PlacedLabel[] = []
  return labels.map(({ box, texts }) => {
    const placed = texts.flatMap((text) => candidates(box, text, room)).find((one) => !taken.some(overlaps(one)))
    if (placed) taken.push(placed)
    return placed
  })
}

function candidates(box: Box, text: string, { width: maxX, height: lowest, lineHeight: height, widthOf }: Room) {
  const width = widthOf(text)
  const x = Math.min(Math.max(0, box.x), maxX - width)
  const above = Math.max(0, box.y - height)
  const below = Math.min(lowest - height, box.y + box.height)
  return [above, below].map((y): PlacedLabel => ({ text, x, y, width, height }))
}

const overlaps = (one: Box) => (other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height
