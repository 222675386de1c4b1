/** A pair that may be joined; `score` is above 0 and larger is better. */
export interface Candidate {
  readonly row: number
  readonly column: number
  readonly score: number
}

/** Groups larger than this are joined greedily, so that a flood of boxes costs milliseconds and not seconds. */
const MAX_EXACT_GROUP = 256

/**
 * Joins rows with columns, each at most once, so that the sum of scores is the largest. Only candidates are ever
 * joined, and rows that share no candidate (by any chain) are solved apart: real scenes fall into tiny groups.
 */
export function assign(candidates: readonly Candidate[]): Candidate[] {
  const joined: Candidate[] = []
  for (const group of connectedGroups(candidates)) {
    if (group.length === 1) joined.push(group[0]!)
    else solveGroup(group, joined)
  }
  return joined
}

function connectedGroups(candidates: readonly Candidate[]): Candidate[][] {
  const parent = new Map<number, number>()
  const find = (node: number): number => {
    let root = node
    for (let up = parent.get(root) ?? root; up !== root; up = parent.get(root) ?? root) root = up
    parent.set(node, root)
    return root
  }
  // Columns get negative names, so that rows and columns live in one forest.
  for (const { row, column } of candidates) parent.set(find(row), find(-1 - column))
  const groups = new Map<number, Candidate[]>()
  for (const candidate of candidates) {
    const root = find(candidate.row)
    const group = groups.get(root)
    if (group) group.push(candidate)
    else groups.set(root, [candidate])
  }
  return [...groups.values()]
}

function solveGroup(group: readonly Candidate[], joined: Candidate[]): void {
  const rows = [...new Set(group.map(({ row }) => row))]
  const columns = [...new Set(group.map(({ column }) => column))]
  if (Math.min(rows.length, columns.length) > MAX_EXACT_GROUP) return joinGreedily(group, joined)

  const isTall = rows.length > columns.length
  const [short, long] = isTall ? [columns, rows] : [rows, columns]
  const shortIndex = new Map(short.map((name, index) => [name, index]))
  const longIndex = new Map(long.map((name, index) => [name, index]))
  const cost = new Float64Array(short.length * long.length)
  const best = new Array<Candidate | undefined>(cost.length)
  for (const candidate of group) {
    const [i, j] = isTall ? [candidate.column, candidate.row] : [candidate.row, candidate.column]
    const cell = shortIndex.get(i)! * long.length + longIndex.get(j)!
    cost[cell] = -candidate.score
    best[cell] = candidate
  }
  const chosen = cheapestColumns(cost, short.length, long.length)
  chosen.forEach((column, row) => {
    const candidate = best[row * long.length + column]
    if (candidate) joined.push(candidate)
  })
}

function joinGreedily(group: readonly Candidate[], joined: Candidate[]): void {
  const takenRows = new Set<number>()
  const takenColumns = new Set<number>()
  for (const candidate of [...group].sort((a, b) => b.score - a.score)) {
    if (takenRows.has(candidate.row) || takenColumns.has(candidate.column)) continue
    takenRows.add(candidate.row)
    takenColumns.add(candidate.column)
    joined.push(candidate)
  }
}

/**
 * The column of each row at the least total cost (rows ≤ columns), by shortest augmenting paths with
 * potentials (Jonker and Volgenant), O(rows² · columns).
 */
function cheapestColumns(cost: Float64Array, rows: number, columns: number): Int32Array {
  const rowPotential = new Float64Array(rows)
  const columnPotential = new Float64Array(columns)
  const rowOfColumn = new Int32Array(columns).fill(-1)
  const columnOfRow = new Int32Array(rows).fill(-1)
  const distance = new Float64Array(columns)
  const previous = new Int32Array(columns)
  const isSettled = new Uint8Array(columns)

  for (let start = 0; start < rows; start++) {
    distance.fill(Infinity)
    isSettled.fill(0)
    let row = start
    let reached = 0
    let sink = -1
    while (sink < 0) {
      let nearest = -1
      for (let column = 0; column < columns; column++) {
        if (isSettled[column]) continue
        const length = reached + cost[row * columns + column]! - rowPotential[row]! - columnPotential[column]!
        if (length < distance[column]!) {
          distance[column] = length
          previous[column] = row
        }
        if (nearest < 0 || distance[column]! < distance[nearest]!) nearest = column
      }
      reached = distance[nearest]!
      isSettled[nearest] = 1
      if (rowOfColumn[nearest]! < 0) sink = nearest
      else row = rowOfColumn[nearest]!
    }
    for (let column = 0; column < columns; column++) {
      if (!isSettled[column]) continue
      const slack = reached - distance[column]!
      columnPotential[column]! -= slack
      if (rowOfColumn[column]! >= 0) rowPotential[rowOfColumn[column]!]! += slack
    }
    rowPotential[start]! += reached
    for (let column = sink; ;) {
      const from = previous[column]!
      const next = columnOfRow[from]!
      rowOfColumn[column] = from
      columnOfRow[from] = column
      if (from === start) break
      column = next
    }
  }
  return columnOfRow
}
