import { type FragmentGroup, type FragmentIndex } from '../../core/recorded-time.ts'
import { type FragmentWalk, type WalkedFragment } from './fragment-walk.ts'

/** Groups that begin sooner after the one before are a part of that. */
const MIN_GROUP_MS = 2_000

/** Where a file can be cut: null where it has no group of pictures. */
export function toFragmentIndex({ header, initBytes, fragments }: FragmentWalk): FragmentIndex | null {
  const [video] = header?.tracks ?? []
  const last = fragments.at(-1)
  if (!header || !video || !last) return null
  const groups: FragmentGroup[] = []
  let originTicks: number | undefined
  for (const fragment of fragments) {
    const ticks = keyframeTicks(fragment, video.id)
    if (ticks === undefined) continue
    originTicks ??= ticks
    const ms = Math.round(((ticks - originTicks) / video.timescale) * 1000)
    const before = groups.at(-1)
    if (!before || ms - before.ms >= MIN_GROUP_MS) groups.push({ ms, byte: fragment.at })
  }
  // What is before the first keyframe can't be shown, and would be in no piece.
  if (groups[0]?.byte !== fragments[0]!.at) return null
  return {
    init: initBytes,
    initHash: header.hash,
    codecs: header.tracks.map(({ codec }) => codec).join(','),
    width: video.width,
    height: video.height,
    tracks: header.tracks.map(({ id, kind, timescale }) => ({ id, kind, timescale })),
    groups,
    end: last.at + last.bytes,
    mediaMs: Math.round(Math.max(...fragments.map(({ endMs }) => endMs))),
  }
}

/** When the keyframe is shown with which a fragment begins; undefined of one that begins with none. */
function keyframeTicks({ tracks }: WalkedFragment, videoId: number): number | undefined {
  return tracks.find(({ trackId }) => trackId === videoId)?.keyframeTicks
}
