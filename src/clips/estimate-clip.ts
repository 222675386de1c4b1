import { type RecordedFile, type Stretch } from '../core/recorded-time.ts'

/** What a picture takes that is encoded anew, with boxes, of what the camera's takes. */
const BOXES_FACTOR = 1.2

export interface FileShare {
  readonly file: RecordedFile
  readonly bytes: number
}

/** What of each file a clip takes; files of which nothing is in it are left out. One that is being written lasts until now. */
export function sharesOf(files: readonly RecordedFile[], { from, to }: Stretch, now: number): FileShare[] {
  return files.flatMap((file) => {
    const { startedAt, durationMs, sizeBytes } = file
    const isOpen = durationMs === null
    const lengthMs = durationMs ?? Math.max(0, now - startedAt)
    const overlapMs = Math.min(to, startedAt + lengthMs) - Math.max(from, startedAt)
    // What is still to come is in the one that is being written.
    if (isOpen && to > now) return [{ file, bytes: sizeBytes }]
    return overlapMs > 0 ? [{ file, bytes: Math.ceil((sizeBytes * overlapMs) / lengthMs) }] : []
  })
}

export function estimateBytes(shares: readonly FileShare[], withBoxes: boolean): number {
  const bytes = shares.reduce((sum, share) => sum + share.bytes, 0)
  return Math.ceil(withBoxes ? bytes * BOXES_FACTOR : bytes)
}

/** The node that has most of it on its disk; null where none alone has any. */
export function nodeWithMost(shares: readonly FileShare[]): string | null {
  const sums = new Map<string, number>()
  for (const { file, bytes } of shares)
    if (file.nodeId !== null) sums.set(file.nodeId, (sums.get(file.nodeId) ?? 0) + bytes)
  return [...sums].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null
}
