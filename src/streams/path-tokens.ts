import { type AccessQuestion } from '../media/messages.ts'

/** A credential for one path alone, which a feature has given out. */
export interface PathToken {
  /** The token's bearer, as the media server knows it: it can be expelled without its account, and takes over only from itself. */
  readonly principal: string
  /** It dies with the key of this account. */
  readonly accountId: string
}

/** One that a client may also prove to have without sending it. */
export interface ProvableToken extends PathToken {
  readonly ha1: string
}

/** A feature that gives out such tokens. */
export interface TokenIssuer {
  /** Undefined unless it is one of its own, and good for just this. */
  find(token: string, question: AccessQuestion): Promise<PathToken | undefined>
  /** All that are good for this: Digest authentication sends no token to look up, only a proof of one. */
  listProvable?(question: AccessQuestion): Promise<readonly ProvableToken[]>
}
