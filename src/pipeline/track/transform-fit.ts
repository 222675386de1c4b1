import { type Flow } from './optical-flow.ts'
import { type PlaneTransform } from './plane-transform.ts'

/** What a camera's motion may look like: moved, turned and zoomed; or any view of a plane. */
export type MotionModel = 'similarity' | 'projective'

/** The similarity that takes both flows exactly where they went; undefined when they start at one place. */
export function similarityOf(first: Flow, second: Flow): PlaneTransform | undefined {
  const [x, y] = [second.from.x - first.from.x, second.from.y - first.from.y]
  const [u, v] = [second.to.x - first.to.x, second.to.y - first.to.y]
  const square = x * x + y * y
  if (!(square > 1e-9)) return undefined
  const cos = (x * u + y * v) / square
  const sin = (x * v - y * u) / square
  const c = first.to.x - cos * first.from.x + sin * first.from.y
  const f = first.to.y - sin * first.from.x - cos * first.from.y
  return [cos, -sin, c, sin, cos, f, 0, 0, 1]
}

/**
 * The map of a model with the least weighted squares over the flows, whose coordinates should be of the order of 1.
 * Undefined when the flows don't determine it.
 */
export function fitTransform(
  model: MotionModel,
  flows: readonly Flow[],
  weights: ArrayLike<number>,
): PlaneTransform | undefined {
  const n = model === 'similarity' ? 4 : 8
  const system = new Float64Array(n * (n + 1))
  const row = new Float64Array(n)
  for (let i = 0; i < flows.length; i++) {
    const weight = weights[i]!
    if (weight <= 0) continue
    const { from, to } = flows[i]!
    if (model === 'similarity') {
      fillSimilarity(row, from.x, -from.y, 1, 0)
      addEquation(system, row, to.x, weight)
      fillSimilarity(row, from.y, from.x, 0, 1)
      addEquation(system, row, to.y, weight)
    } else {
      fillProjective(row, 0, from.x, from.y, to.x)
      addEquation(system, row, to.x, weight)
      fillProjective(row, 3, from.x, from.y, to.y)
      addEquation(system, row, to.y, weight)
    }
  }
  const found = solve(system, n)
  if (!found) return undefined
  const at = (index: number): number => found[index]!
  if (model === 'similarity') return [at(0), -at(1), at(2), at(1), at(0), at(3), 0, 0, 1]
  return [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), 1]
}

function fillSimilarity(row: Float64Array, cos: number, sin: number, dx: number, dy: number): void {
  row[0] = cos
  row[1] = sin
  row[2] = dx
  row[3] = dy
}

/** `first` is 0 in the equation for x', 3 in that for y'. */
function fillProjective(row: Float64Array, first: 0 | 3, x: number, y: number, value: number): void {
  row.fill(0)
  row[first] = x
  row[first + 1] = y
  row[first + 2] = 1
  row[6] = -x * value
  row[7] = -y * value
}

function addEquation(system: Float64Array, row: Float64Array, value: number, weight: number): void {
  const n = row.length
  for (let i = 0; i < n; i++) {
    const factor = weight * row[i]!
    if (factor === 0) continue
    const start = i * (n + 1)
    for (let j = 0; j < n; j++) system[start + j]! += factor * row[j]!
    system[start + n]! += factor * value
  }
}

/** Gauss–Jordan with pivots on an n × (n + 1) system; undefined when it is singular. */
function solve(system: Float64Array, n: number): Float64Array | undefined {
  const width = n + 1
  for (let column = 0; column < n; column++) {
    let pivot = column
    for (let row = column + 1; row < n; row++) {
      if (Math.abs(system[row * width + column]!) > Math.abs(system[pivot * width + column]!)) pivot = row
    }
    const head = system[pivot * width + column]!
    if (!(Math.abs(head) > 1e-9)) return undefined
    for (let k = column; k < width; k++) {
      const value = system[pivot * width + k]! / head
      system[pivot * width + k] = system[column * width + k]!
      system[column * width + k] = value
    }
    for (let row = 0; row < n; row++) {
      const factor = system[row * width + column]!
      if (row === column || factor === 0) continue
      for (let k = column; k < width; k++) system[row * width + k]! -= factor * system[column * width + k]!
    }
  }
  return Float64Array.from({ length: n }, (_, row) => system[row * width + n]!)
}
