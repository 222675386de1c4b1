/**
 * @typedef {object} Box
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 *
 * @typedef {object} Label What may be written at a box: the whole name, or less where there is no room for it.
 * @property {Box} box
 * @property {readonly string[]} texts
 *
 * @typedef {Box & { text: string }} PlacedLabel
 *
 * @typedef {object} Room
 * @property {number} width
 * @property {number} height
 * @property {number} lineHeight
 * @property {(text: string) => number} widthOf
 */

/**
 * Where names stand so that none covers another: above their boxes, else below, else shorter; crowded out, one has no name.
 * @param {readonly Label[]} labels
 * @param {Room} room
 * @returns {(PlacedLabel | undefined)[]}
 */
export function placeLabels(labels, room) {
  /** @type {PlacedLabel[]} */
  const taken = []
  return labels.map(({ box, texts }) => {
    const placed = texts.flatMap((text) => candidates(box, text, room)).find((one) => !taken.some(overlaps(one)))
    if (placed) taken.push(placed)
    return placed
  })
}

/** @param {Box} box @param {string} text @param {Room} room @returns {PlacedLabel[]} */
function candidates(box, text, { width: maxX, height: lowest, lineHeight: height, widthOf }) {
  const width = widthOf(text)
  const x = Math.min(Math.max(0, box.x), maxX - width)
  const above = Math.max(0, box.y - height)
  const below = Math.min(lowest - height, box.y + box.height)
  return [above, below].map((y) => ({ text, x, y, width, height }))
}

/** @param {Box} one @returns {(other: Box) => boolean} */
const overlaps = (one) => (other) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height
