import { createDeadline } from '../../core/deadline.ts'
import { createDeferred } from '../../core/deferred.ts'
import { HostRefused } from '../../outbound/allowed-addresses.ts'
import { cameraSentence, NO_VIDEO, RtspClientError } from '../rtsp/client/client-error.ts'
import { type Opening, startOpening } from '../rtsp/client/opening.ts'
import { openRtspPlayer, type RtspPlayer } from '../rtsp/client/player.ts'
import { type RtspTarget } from '../rtsp/client/rtsp-target.ts'
import { chooseVideo, UnknownVideoCodec, usableVideo } from '../rtsp/client/video-reader.ts'
import { type Codec, type MediaTrack } from '../stream.ts'
import { LEFT, type ReadCamera, type ReadingEnd, type ReadingOptions } from './reading.ts'

/** Sound that readers of the hub can use; what else a camera sends (its metadata, other codecs) is not requested. */
const SOUNDS: readonly Codec[] = ['aac', 'opus', 'pcma', 'pcmu']

/** Reads a camera by RTSP. */
export const readRtspCamera: ReadCamera = (options) => readFrom(options.url, options)

async function readFrom(from: string | RtspTarget, options: ReadingOptions): Promise<ReadingEnd> {
  const { dial, silenceMs, signal } = options
  const opening = startOpening(signal, silenceMs)
  let player: RtspPlayer | undefined
  try {
    if (signal.aborted) return LEFT
    player = await openRtspPlayer(from, { dial, signal: opening.signal })
    const chosen = chooseTracks(player.description.tracks)
    return await play(player, chosen, options, opening)
  } catch (error) {
    return endOf(error)
  } finally {
    opening.end()
    await player?.close()
  }
}

/** Plays the chosen tracks until they end. */
async function play(
  player: RtspPlayer,
  chosen: readonly number[],
  { publication, silenceMs, onLive, signal }: ReadingOptions,
  opening: Opening,
): Promise<ReadingEnd> {
  const { tracks } = player.description
  const [video] = chosen
  const ended = createDeferred<ReadingEnd>()
  let hasBegun = false
  const silence = createDeadline(() =>
    ended.resolve({ kind: 'lost', sentence: hasBegun ? `No video has come for ${silenceMs / 1000} s.` : NO_VIDEO }),
  )
  const leave = () => ended.resolve(LEFT)
  signal.addEventListener('abort', leave, { once: true })
  try {
    await player.start(
      {
        packet(track, data) {
          if (track === video) silence.set(silenceMs)
          // What is live has video: one that sends sound alone would be live and lost again and again.
          else if (!hasBegun) return
          if (!hasBegun) {
            hasBegun = true
            publication.start({ tracks: chosen.map((index) => tracks[index]!) })
            onLive()
          }
          publication.write(chosen.indexOf(track), data)
        },
        report: (report) => publication.report({ ...report, track: chosen.indexOf(report.track) }),
        end(reason, moved) {
          if (moved) ended.resolve({ kind: 'moved', readThere: (options) => readFrom(moved, options) })
          else ended.resolve({ kind: 'lost', sentence: `The camera has ended the stream: ${reason}.` })
        },
      },
      (track) => chosen.includes(track),
    )
    opening.end()
    silence.set(silenceMs)
    return await ended.promise
  } finally {
    silence.clear()
    signal.removeEventListener('abort', leave)
  }
}

/** The video that can be decoded, and the first sound: the hub's tracks in this order. */
function chooseTracks(tracks: readonly MediaTrack[]): readonly number[] {
  const video = chooseVideo(tracks)
  usableVideo(tracks[video])
  const sound = tracks.findIndex(({ kind, codec }) => kind === 'audio' && SOUNDS.includes(codec))
  return sound < 0 ? [video] : [video, sound]
}

function endOf(error: unknown): ReadingEnd {
  const sentence = (error as Error).message
  if (error instanceof UnknownVideoCodec) return { kind: 'unreadable', sentence }
  if (error instanceof HostRefused) return { kind: error.denial ? 'unreadable' : 'lost', sentence }
  if (!(error instanceof RtspClientError)) return { kind: 'lost', sentence }
  const words = cameraSentence(error)
  return { kind: 'lost', sentence: error.kind === 'no-answer' ? words : `It cannot be opened: ${words}` }
}
