import { isVideoTrack } from '../../rtp/nal-unit-codecs.ts'
import { type MediaTrack, type StreamDescription, type VideoTrack } from '../../stream.ts'
import { RtspClientError } from './client-error.ts'
import { codecNameOf } from './codec-name.ts'
import { type RtspConnectOptions } from './connection.ts'
import { startOpening } from './opening.ts'
import { openRtspPlayer, type RtspPlayer } from './player.ts'
import { parseRtspTarget, type RtspTarget } from './rtsp-target.ts'
import { type ArrivedUnit, createUnitInbox, type UnitInbox } from './unit-inbox.ts'

export interface RtspVideoOptions {
  readonly url: string
  readonly server: Omit<RtspConnectOptions, 'signal'>
  /** A stream that is silent for longer is over. */
  readonly silenceMs: number
  readonly signal: AbortSignal
}

/** A stream, which is another one after the server redirected us, and its pictures in decoding order. */
export type RtspVideoPart =
  | { readonly kind: 'opened'; readonly track: VideoTrack; readonly description: StreamDescription }
  | { readonly kind: 'unit'; readonly unit: ArrivedUnit }

/** There is video, but none that can be decoded here. */
export class UnknownVideoCodec extends Error {
  override readonly name = 'UnknownVideoCodec'

  constructor(track: MediaTrack) {
    super(`The video is ${codecNameOf(track)}; set the sender to H.264 or H.265.`)
  }
}

/** One reading of the video of an RTSP stream, without decoding. Throws a sentence when it is over, unless we left. */
export async function* readRtspVideo(options: RtspVideoOptions): AsyncGenerator<RtspVideoPart, void, undefined> {
  let target: RtspTarget | undefined = parseRtspTarget(options.url)
  while (target) target = yield* readFrom(target, options)
}

/** Returns where the stream continues, if the server redirected us. */
async function* readFrom(
  target: RtspTarget,
  { server, silenceMs, signal }: RtspVideoOptions,
): AsyncGenerator<RtspVideoPart, RtspTarget | undefined, undefined> {
  const opening = startOpening(signal, silenceMs)
  let player: RtspPlayer | undefined
  let inbox: UnitInbox | undefined
  const leave = () => inbox?.end('We left.')
  try {
    if (signal.aborted) return undefined
    player = await openRtspPlayer(target, { ...server, signal: opening.signal })
    const { description } = player
    const index = chooseVideo(description.tracks)
    const track = usableVideo(description.tracks[index])
    inbox = createUnitInbox(track, silenceMs)
    await player.start(inbox, (candidate) => candidate === index)
    opening.end()
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) return undefined
    inbox.expect()

    yield { kind: 'opened', track, description }
    for await (const unit of inbox.units()) yield { kind: 'unit', unit }
    if (signal.aborted) return undefined
    return inbox.outcome()
  } finally {
    opening.end()
    signal.removeEventListener('abort', leave)
    inbox?.end('We left.')
    await player?.close()
  }
}

/** Some cameras have several, or one that is no video that we know beside one that is. */
export function chooseVideo(tracks: readonly MediaTrack[]): number {
  const known = tracks.findIndex(isVideoTrack)
  return known >= 0 ? known : tracks.findIndex(({ kind }) => kind === 'video')
}

export function usableVideo(track: MediaTrack | undefined): VideoTrack {
  if (!track) throw new RtspClientError('unusable', 'There is no video in it.')
  if (!isVideoTrack(track)) throw new UnknownVideoCodec(track)
  return track
}
