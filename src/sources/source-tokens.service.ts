import { randomBytes } from 'node:crypto'
import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { DIGEST_REALM, digestHa1, sha256Of } from '../core/digest.ts'
import { AppError } from '../core/errors.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type MediaAddresses } from '../streams/media-addresses.ts'
import { tokenPrincipal } from './source-token-issuer.ts'
import { type NewToken } from './source-tokens.schema.ts'
import { type SourceToken, type SourceTokenStore } from './source-tokens.store.ts'
import { type Source } from './source.ts'

export interface SourceTokenServiceDeps {
  readonly sources: {
    /** Throws when the account has no such source. */
    find(account: Account, sourceId: string): Promise<Source>
  }
  readonly tokens: Pick<SourceTokenStore, 'insertWithinLimit' | 'list' | 'remove' | 'removeExpired'>
  readonly streams: { readonly addresses: Pick<MediaAddresses, 'urlsWithToken'>; expel(principal: string): void }
  readonly clock: Clock
}

const MAX_TOKENS = 50

export type SourceTokenService = ReturnType<typeof createSourceTokenService>

/** Tokens that may only publish or read one source. Their connections are closed with them. */
export function createSourceTokenService({ sources, tokens, streams, clock }: SourceTokenServiceDeps) {
  return {
    async issue(account: Account, sourceId: string, { action, expires_in_seconds }: NewToken, host: string) {
      const { mediaPath, isPulled, accountId } = await sources.find(account, sourceId)
      if (mediaPath === null) throw new AppError('source-not-published-here')
      if (isPulled && action === 'publish') throw new AppError('camera-path-reserved', { path: mediaPath })
      const token = `tk_${randomBytes(24).toString('base64url')}`
      const createdAt = clock.now()
      const expiresAt = expires_in_seconds === undefined ? null : createdAt + expires_in_seconds * 1000
      const record: SourceToken = { id: orderedUuid(), sourceId, action, expiresAt, createdAt }
      const hashes = { sha256: sha256Of(token), ha1: digestHa1(ownerOfPath(mediaPath), DIGEST_REALM, token) }
      if (!(await tokens.insertWithinLimit(accountId, record, hashes, MAX_TOKENS)))
        throw new AppError('token-limit-reached', { limit: MAX_TOKENS })
      return { record, token, mediaPath, urls: streams.addresses.urlsWithToken(mediaPath, token, host) }
    },

    async list(account: Account, sourceId: string): Promise<SourceToken[]> {
      await sources.find(account, sourceId)
      return tokens.list(sourceId)
    },

    async revoke(account: Account, sourceId: string, tokenId: string): Promise<void> {
      await sources.find(account, sourceId)
      if (!(await tokens.remove(sourceId, tokenId))) throw new AppError('token-not-found', { token_uuid: tokenId })
      streams.expel(tokenPrincipal(tokenId))
    },

    async endExpired(): Promise<void> {
      for (const id of await tokens.removeExpired(clock.now())) streams.expel(tokenPrincipal(id))
    },
  }
}
