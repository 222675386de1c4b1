import { toZulu } from '../core/clock.ts'
import { type Stretch } from '../core/recorded-time.ts'
import { type ClipPart } from './clip.ts'

/** What somebody should know who plays a clip; null where it is as it was asked for. */
export function clipNote(
  { from, to }: Stretch,
  parts: readonly Pick<ClipPart, 'from' | 'video'>[],
  gaps: readonly Stretch[],
): string | null {
  const sentences = [...changesOf(parts), ...missing({ from, to }, gaps)]
  return sentences.length === 0 ? null : sentences.join(' ')
}

function changesOf(parts: readonly Pick<ClipPart, 'from' | 'video'>[]): string[] {
  const [before, after] = parts
  if (!before || !after) return []
  const sizeOf = ({ video }: typeof before) => `${video.width}×${video.height}`
  const change =
    sizeOf(before) === sizeOf(after)
      ? 'The format of the video changed'
      : `The picture changed from ${sizeOf(before)} to ${sizeOf(after)}`
  return [`${change} at ${toZulu(after.from)}: the clip has ${parts.length} parts.`]
}

function missing({ from, to }: Stretch, gaps: readonly Stretch[]): string[] {
  const missingMs = gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0)
  if (missingMs === 0) return []
  return [`Of ${inSeconds(to - from)} s, ${inSeconds(missingMs)} s were not recorded.`]
}

const inSeconds = (ms: number) => Math.max(1, Math.round(ms / 1000))
