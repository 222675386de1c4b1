import { type Dial } from '../../outbound/dial.ts'
import { type ProtocolLog } from '../protocol-server.ts'
import { type Publication } from '../publication.ts'

/** What one reading of a camera needs. */
export interface ReadingOptions {
  readonly url: string
  readonly dial: Dial
  /** Started with the first packet of video. The reading does not close it. */
  readonly publication: Pick<Publication, 'path' | 'start' | 'write' | 'report'>
  /** A camera that is silent for longer is lost. */
  readonly silenceMs: number
  readonly onLive: () => void
  readonly log: ProtocolLog
  /** Leaves the camera; the reading ends soon after. */
  readonly signal: AbortSignal
}

/** One reading of a camera into the hub, until it ends or is left. Never rejects. */
export type ReadCamera = (options: ReadingOptions) => Promise<ReadingEnd>

export type ReadingEnd =
  | { readonly kind: 'lost'; readonly sentence: string }
  /** It has nothing that we could read, or must not be called: trying again will not help. */
  | { readonly kind: 'unreadable'; readonly sentence: string }
  /** The camera redirected us; what it sends there is another stream. */
  | { readonly kind: 'moved'; readonly readThere: ReadCamera }

export const LEFT: ReadingEnd = { kind: 'lost', sentence: 'We left.' }
