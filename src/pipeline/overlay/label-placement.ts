import { type Box, intersectionArea, type Size } from '../../core/detection.ts'

export interface LabelWish extends Size {
  readonly id: number
  /** What it belongs to, in the same pixels. */
  readonly box: Box
}

/** Decides where labels go: in the picture, and apart where that is simple. Remembers, so that they don't jump. */
export interface LabelPlacer {
  /** The labels' boxes, in the order of the wishes. */
  place(wishes: readonly LabelWish[], picture: Size): Box[]
}

/** A label moves to a better place only when there is room around it. */
const MARGIN = 4

export function createLabelPlacer(): LabelPlacer {
  let before = new Map<number, number>()

  return {
    place(wishes, picture) {
      const now = new Map<number, number>()
      const taken: Box[] = []
      for (const { id, box, width, height } of wishes) {
        const current = before.get(id)
        const choices = placesFor(box, { width, height }, picture)
        const crowding = choices.map((choice, index) => {
          const wanted = index === current ? choice : grown(choice)
          return taken.reduce((sum, other) => sum + intersectionArea(wanted, other), 0)
        })
        const chosen = crowding.indexOf(Math.min(...crowding))
        // Without tracking there is nothing to remember.
        if (id > 0) now.set(id, chosen)
        taken.push(choices[chosen]!)
      }
      before = now
      return taken
    },
  }
}

/** The best first: above the box (at the picture's edge inside it), below it, to its right, to its left, inside it at the bottom. */
function placesFor(box: Box, { width, height }: Size, picture: Size): Box[] {
  const [right, bottom] = [box.x + box.width, box.y + box.height]
  const places = [
    [box.x, box.y >= height ? box.y - height : box.y],
    [box.x, bottom],
    [right, box.y],
    [box.x - width, box.y],
    [box.x, bottom - height],
  ] as const
  return places.map(([x, y]) => ({
    x: between(0, x, picture.width - width),
    y: between(0, y, picture.height - height),
    width,
    height,
  }))
}

function between(min: number, value: number, max: number): number {
  return Math.max(min, Math.min(max, value))
}

function grown({ x, y, width, height }: Box): Box {
  return { x: x - MARGIN, y: y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN }
}
