/** What detection finds in a picture. */

export interface Size {
  readonly width: number
  readonly height: number
}

/** A rectangle in input pixels: those of the picture as the source sent it, from its top left corner. */
export interface Box extends Size {
  readonly x: number
  readonly y: number
}

/** One object that a model saw in one picture. */
export interface Detection {
  readonly box: Box
  /** 0…1; percent is made where it leaves the service. */
  readonly confidence: number
  /** The number of the class in the model's own list; for COCO models the category id (person is 1). */
  readonly classId: number
  readonly className: string
}

/** The shared area of two boxes. */
export function intersectionArea(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return width > 0 && height > 0 ? width * height : 0
}

/** Shared area over joint area: 1 for the same box, 0 for boxes apart. */
export function intersectionOverUnion(a: Box, b: Box): number {
  const shared = intersectionArea(a, b)
  return shared === 0 ? 0 : shared / (a.width * a.height + b.width * b.height - shared)
}

/** Classes that carry a registration number where a camera can see it: of these larger pictures are kept, and plates looked for. */
const PLATE_CLASSES: ReadonlySet<string> = new Set(['car', 'truck', 'bus', 'motorcycle', 'vehicle', 'van'])

export function hasPlate(className: string): boolean {
  return PLATE_CLASSES.has(className)
}
