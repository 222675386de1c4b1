import { type Clock } from '../core/clock.ts'
import { type LinkSigner } from '../core/signed-token.ts'

/** In whose name a viewer plays what was recorded of a source. What it stands for is asked anew with each piece. */
export interface VodTicket {
  readonly sourceId: string
  /** As `VodViewers` calls it: the id of an account and the mark of its key, `token:` and the id of a token, or `anonymous`. */
  readonly viewer: string
}

/** The tokens in the addresses of a playlist. Any node knows them by their signature. */
export interface VodTokens {
  issue(ticket: VodTicket): string
  /** Undefined of one that is not ours, or over. Nothing is looked up. */
  read(token: string): VodTicket | undefined
}

/** Longer than anybody pauses: what revokes the right behind it counts at once. */
export const VOD_TOKEN_MS = 12 * 3_600_000
const FORM = /^([\w:-]{1,100})~([\w-]{1,64})~(.{1,100})$/

export function createVodTokens(signer: LinkSigner, clock: Pick<Clock, 'now'>): VodTokens {
  const subjectOf = ({ sourceId, viewer }: VodTicket) => `vod\n${sourceId}\n${viewer}`
  return {
    issue(ticket) {
      const signed = signer.sign(subjectOf(ticket), clock.now() + VOD_TOKEN_MS)
      return `${ticket.viewer}~${ticket.sourceId}~${signed}`
    },
    read(token) {
      const [, viewer, sourceId, signed] = FORM.exec(token) ?? []
      if (viewer === undefined || sourceId === undefined || signed === undefined) return undefined
      return signer.isValid(subjectOf({ sourceId, viewer }), signed, clock.now()) ? { sourceId, viewer } : undefined
    },
  }
}
