/** A straight line through points of a plane over time, by least squares. */
export interface LineFit {
  clear(): void
  add(seconds: number, x: number, y: number): void
  /** Needs points of different times. */
  solve(): Line
}

export interface Line {
  /** A second. */
  readonly slopeX: number
  readonly slopeY: number
  /** One standard deviation, by how far the points are from the line; endless for two points. */
  readonly slopeError: number
}

/** Points farther off than so many times the mean distance are left out. */
const OUTLIER_FACTOR = 3

/** Solved twice: what lies far from the first line has no say in the second. Made once and used again, since it is hot. */
export function createLineFit(maxPoints: number): LineFit {
  const ts = new Float64Array(maxPoints)
  const xs = new Float64Array(maxPoints)
  const ys = new Float64Array(maxPoints)
  const isLeftOut = new Uint8Array(maxPoints)
  let count = 0

  function solveOnce() {
    let n = 0
    let sumT = 0
    let sumX = 0
    let sumY = 0
    for (let i = 0; i < count; i++) {
      if (isLeftOut[i]) continue
      n += 1
      sumT += ts[i]!
      sumX += xs[i]!
      sumY += ys[i]!
    }
    const meanT = sumT / n
    const meanX = sumX / n
    const meanY = sumY / n
    let tt = 0
    let tx = 0
    let ty = 0
    let square = 0
    for (let i = 0; i < count; i++) {
      if (isLeftOut[i]) continue
      const t = ts[i]! - meanT
      const x = xs[i]! - meanX
      const y = ys[i]! - meanY
      tt += t * t
      tx += t * x
      ty += t * y
      square += x * x + y * y
    }
    const slopeX = tx / tt
    const slopeY = ty / tt
    const left = Math.max(0, square - slopeX * tx - slopeY * ty)
    const slopeError = n > 2 ? Math.sqrt(left / (n - 2) / tt) : Infinity
    return { slopeX, slopeY, slopeError, meanT, meanX, meanY }
  }

  /** Whether any point was left out. */
  function leaveOut({ slopeX, slopeY, meanT, meanX, meanY }: ReturnType<typeof solveOnce>): boolean {
    const squareOff = (i: number): number => {
      const x = xs[i]! - meanX - slopeX * (ts[i]! - meanT)
      const y = ys[i]! - meanY - slopeY * (ts[i]! - meanT)
      return x * x + y * y
    }
    let sum = 0
    for (let i = 0; i < count; i++) sum += Math.sqrt(squareOff(i))
    const limit = ((OUTLIER_FACTOR * sum) / count) ** 2
    let isAny = false
    for (let i = 0; i < count; i++) {
      if (squareOff(i) <= limit) continue
      isLeftOut[i] = 1
      isAny = true
    }
    return isAny
  }

  return {
    clear() {
      count = 0
      isLeftOut.fill(0)
    },
    add(seconds, x, y) {
      ts[count] = seconds
      xs[count] = x
      ys[count] = y
      count += 1
    },
    solve() {
      const first = solveOnce()
      return leaveOut(first) ? solveOnce() : first
    },
  }
}
