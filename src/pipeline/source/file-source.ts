import { avGetCodecName, AVSEEK_FLAG_BACKWARD, type Stream } from 'node-av'
import { fileFault } from '../../av/faults.ts'
import { type Input, openInput } from '../../av/input.ts'
import { checkSampleClaims } from '../../av/sample-claims.ts'
import { type Playback } from '../messages.ts'
import { type OpenedVideo, type SourcePart } from '../picture.ts'
import { PipelineError } from '../pipeline-error.ts'

const READ_TIMEOUT_MS = 10_000

/** An uploaded video, from its beginning or from the keyframe before where an earlier worker came to. */
export async function* fileSource(
  path: string,
  { startedAtMs, resumeAfterSeconds }: Pick<Playback, 'startedAtMs' | 'resumeAfterSeconds'>,
  signal: AbortSignal,
): AsyncGenerator<SourcePart, void, undefined> {
  const input = await openChecked(path).catch((error: unknown) => {
    throw new PipelineError('source-unreadable', `The file cannot be opened: ${fileFault(error)}`, { cause: error })
  })
  try {
    const { video } = input
    if (!video) throw new PipelineError('source-unreadable', 'There is no video in the file.')
    if (resumeAfterSeconds !== null) {
      const { num, den } = video.timeBase
      const position = BigInt(Math.round((resumeAfterSeconds * den) / num))
      await input.format.seekFrame(video.index, position, AVSEEK_FLAG_BACKWARD)
    }
    yield { kind: 'opened', video: openedVideo(video), startedAtMs: startedAtMs ?? Date.now() }
    while (!signal.aborted) {
      const packet = await input.read()
      if (!packet) return
      if (packet.streamIndex === video.index)
        yield { kind: 'packet', packet, isKeyframe: packet.isKeyframe, times: null }
    }
  } finally {
    await input.close()
  }
}

/** It was looked at when it was uploaded, but maybe by an earlier version that let more pass. */
async function openChecked(path: string): Promise<Input> {
  checkSampleClaims(path)
  return openInput(path, { timeoutMs: READ_TIMEOUT_MS })
}

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
