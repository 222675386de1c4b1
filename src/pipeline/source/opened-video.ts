import { avGetCodecName, type Stream } from 'node-av'
import { type OpenedVideo } from '../picture.ts'

/** What FFmpeg found out about a stream. */
export function openedVideo({ codecpar, timeBase, avgFrameRate }: Stream): OpenedVideo {
  const fps = avgFrameRate.num / avgFrameRate.den
  return {
    codecpar,
    timeBase,
    codec: avGetCodecName(codecpar.codecId) ?? 'unknown',
    ...(Number.isFinite(fps) && fps > 0 && { fps }),
  }
}
