import { createHash } from 'node:crypto'
import { createReadStream, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { AVERROR_ENOSPC, FFmpegError } from 'node-av'
import { gapBefore, MIN_GAP_MS } from '../core/recorded-gaps.ts'
import { type Stretch } from '../core/recorded-time.ts'
import { copyPart, NotCopyable, type PartOptions, type PlacedFile } from './copy-part.ts'
import { type DrawnLooks, openDrawnLooks } from './drawn-looks.ts'
import { encodePart } from './encode-part.ts'
import { type CutOrder, type CutPart, partialFile } from './messages.ts'
import { type PlannedFile, planFiles } from './planned-file.ts'
import { CutError } from './recorded-video.ts'

export interface CutClip {
  readonly parts: readonly CutPart[]
  readonly gaps: readonly Stretch[]
}

/** Reading the files to see what is in them is this share of the work. */
const PLANNING_SHARE = 0.1

/** Cuts a clip, of one part or, where the format of the video changes, of several. Throws a `CutError`. */
export async function cut(order: CutOrder, onProgress: (share: number) => void): Promise<CutClip> {
  const { files, fromMs, toMs, looks, maxPicture } = order
  let planned = 0
  const wanted = await planFiles(order, () => onProgress((PLANNING_SHARE * ++planned) / files.length))
  const drawn = looks ? openDrawnLooks(looks) : undefined
  const onWritten = (atMs: number) =>
    onProgress(PLANNING_SHARE + (1 - PLANNING_SHARE) * Math.min(1, Math.max(0, (atMs - fromMs) / (toMs - fromMs))))
  const parts: CutPart[] = []
  for (const group of byFormat(wanted)) {
    const n = parts.length + 1
    const options = { target: partialFile(order.target, n), maxPicture, onWritten }
    const placed = place(group)
    const sizeBytes = await writePart(placed, looks !== null, drawn, options)
    const sha256 = await hashOf(options.target)
    parts.push({ ...toPart(n, placed, isCopied(placed, looks !== null)), sizeBytes, sha256 })
  }
  return { parts, gaps: gapsOf(wanted, fromMs, toMs) }
}

const isCopied = ([first]: readonly PlacedFile[], withBoxes: boolean) => first!.isH264 && !withBoxes

async function writePart(
  files: readonly PlacedFile[],
  withBoxes: boolean,
  looks: DrawnLooks | undefined,
  options: PartOptions,
): Promise<number> {
  try {
    if (!isCopied(files, withBoxes)) return await encodePart(files, looks, options)
    try {
      return await copyPart(files, options)
    } catch (error) {
      if (!(error instanceof NotCopyable)) throw error
      rmSync(options.target, { force: true })
      return await encodePart(files, looks, options)
    }
  } catch (error) {
    rmSync(options.target, { force: true })
    throw toCutError(error)
  }
}

function toCutError(error: unknown): unknown {
  const isFull =
    (error instanceof FFmpegError && error.code === AVERROR_ENOSPC) ||
    (error as NodeJS.ErrnoException | null)?.code === 'ENOSPC'
  if (!isFull) return error
  return new CutError('disk-full', 'There was no room on the disk of the service; make room and cut it again.', {
    cause: error,
  })
}

function byFormat(files: readonly PlannedFile[]): PlannedFile[][] {
  const groups: PlannedFile[][] = []
  for (const file of files) {
    const last = groups.at(-1)
    if (last?.[0]!.format === file.format) last.push(file)
    else groups.push([file])
  }
  return groups
}

/** One after the other, without what is missing between them. */
function place(files: readonly PlannedFile[]): PlacedFile[] {
  let endMs = 0
  return files.map((file) => {
    const placeMs = endMs - file.firstMs
    endMs = placeMs + file.endMs
    return { ...file, placeMs }
  })
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: 2 ** 20 }), hash)
  return hash.digest('hex')
}

function toPart(n: number, files: readonly PlacedFile[], isAsRecorded: boolean): Omit<CutPart, 'sizeBytes' | 'sha256'> {
  const [first, last] = [files[0]!, files.at(-1)!]
  const { width, height, fps, codec } = first
  return {
    n,
    from: Math.round(first.startedAtMs + first.firstMs),
    to: Math.round(last.startedAtMs + last.endMs),
    durationMs: Math.round(last.placeMs + last.endMs),
    video: { codec: isAsRecorded ? codec : 'h264', width, height, fps },
  }
}

function gapsOf(files: readonly PlannedFile[], fromMs: number, toMs: number): Stretch[] {
  const gaps: Stretch[] = []
  let endMs: number | undefined
  for (const { startedAtMs, firstMs, gapMs, endMs: fileEndMs } of files) {
    const startMs = startedAtMs + firstMs
    const missingMs = endMs === undefined ? startMs - fromMs : gapBefore({ startedAt: startMs, gapMs }, endMs)
    const gapFromMs = endMs ?? fromMs
    if (missingMs >= MIN_GAP_MS) gaps.push({ from: Math.round(gapFromMs), to: Math.round(gapFromMs + missingMs) })
    endMs = startedAtMs + fileEndMs
  }
  if (endMs !== undefined && toMs - endMs >= MIN_GAP_MS) gaps.push({ from: Math.round(endMs), to: toMs })
  return gaps
}
