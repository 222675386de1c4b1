import { createDeadline } from '../../core/deadline.ts'
import { createDeferred } from '../../core/deferred.ts'
import { asSentence, shortSentence } from '../../core/sentences.ts'
import { type Publication } from '../publication.ts'
import { MediaRefusal, type RefusalReason } from '../refusal.ts'
import { RtspClientError } from '../rtsp/client/client-error.ts'
import { openRtspPlayer, type RtspPlayer } from '../rtsp/client/player.ts'
import { nodeConnection } from './node-connection.ts'

export interface RelayReadingOptions {
  /** On the node where it is live, with a token. */
  readonly url: string
  /** Takes the path in the hub; called once, when the stream flows. Throws when somebody publishes there by now. */
  readonly take: () => Publication
  /** A node that is silent for longer is gone: it ends publishers that send nothing sooner than that. */
  readonly silenceMs: number
  /** Leaves the node. */
  readonly signal: AbortSignal
}

/** One reading of another node's stream into the hub: every track, packet by packet as it came. */
export type ReadRelay = (options: RelayReadingOptions) => Promise<RelayEnd>

export type RelayEnd =
  /** It was never reached, or is nothing that answers as a node would: another way may lead there. */
  | { readonly kind: 'unreachable'; readonly sentence: string }
  /** The node has refused: there is nothing to read. `isDoubtful`: another server may have answered in its place. */
  | {
      readonly kind: 'refused'
      readonly refusal: MediaRefusal
      readonly sentence: string
      readonly isDoubtful: boolean
    }
  /** The stream flowed, and is over. */
  | { readonly kind: 'ended'; readonly sentence: string }

/** Never rejects. */
export const readRelay: ReadRelay = async (options) => {
  const { url, signal } = options
  let player: RtspPlayer
  try {
    player = await openRtspPlayer(url, nodeConnection(url, signal))
  } catch (error) {
    return refusalOf(error as Error)
  }
  try {
    return { kind: 'ended', sentence: await play(player, options) }
  } catch (error) {
    return { kind: 'ended', sentence: asSentence(shortSentence((error as Error).message)) }
  } finally {
    await player.close()
  }
}

/** Plays all tracks until the stream ends. Resolves with why it has. */
async function play(player: RtspPlayer, { take, silenceMs, signal }: RelayReadingOptions): Promise<string> {
  const ended = createDeferred<string>()
  const silence = createDeadline(() => end(`Nothing has come for ${silenceMs / 1000} s.`))
  const leave = () => end('We left.')
  let publication: Publication | undefined
  let hasEnded = false

  function end(why: string): void {
    hasEnded = true
    ended.resolve(why)
  }

  /** From the first packet on. The hub refuses when a publisher has come here meanwhile: that stream is the one to read. */
  function begun(): Publication | undefined {
    if (publication || hasEnded) return publication
    try {
      publication = take()
      publication.onEnd((reason) => end(`Our hub has ended it: ${reason}.`))
      publication.start(player.description)
    } catch (error) {
      end((error as Error).message)
    }
    return publication
  }

  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  else silence.set(silenceMs)
  try {
    const playing = player.start({
      packet(track, data) {
        silence.set(silenceMs)
        begun()?.write(track, data)
      },
      report: (report) => begun()?.report(report),
      end: (reason) => end(`The stream has ended: ${reason}.`),
    })
    // A stream that is silent just now can be read too.
    await Promise.race([ended.promise, playing.then(begun)])
    return await ended.promise
  } finally {
    hasEnded = true
    silence.clear()
    signal.removeEventListener('abort', leave)
    publication?.close()
  }
}

/** By the status with which the node answers. The camera's words are for its owner, as on the node itself. */
const REASONS: Readonly<Record<number, RefusalReason>> = {
  404: 'not-live',
  415: 'camera-unreadable',
  502: 'camera-lost',
}

/**
 * The same address may be another machine for us than for the node that announces it, as 127.0.0.1 is: by these a server answers that
 * does not have the stream, or does not know the token.
 */
const DOUBTFUL: readonly number[] = [401, 404]

function refusalOf(error: Error): RelayEnd {
  const sentence = asSentence(shortSentence(error.message))
  if (!(error instanceof RtspClientError) || error.kind !== 'refused') return { kind: 'unreachable', sentence }
  const reason = REASONS[error.status] ?? 'unavailable'
  const explanation =
    reason === 'unavailable'
      ? 'The node where it is live does not let this one read it; try again in a moment.'
      : error.phrase
  const refusal = new MediaRefusal(reason, asSentence(shortSentence(explanation)))
  return { kind: 'refused', refusal, sentence, isDoubtful: DOUBTFUL.includes(error.status) }
}
