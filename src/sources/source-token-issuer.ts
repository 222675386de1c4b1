import { type Clock } from '../core/clock.ts'
import { sha256Of } from '../core/digest.ts'
import { type ProvableToken, type TokenIssuer } from '../streams/path-tokens.ts'
import { type PlacedSourceToken, type SourceTokenStore } from './source-tokens.store.ts'

/** Tokens of sources, as the media server's clients use them. */
export function createSourceTokenIssuer(
  tokens: Pick<SourceTokenStore, 'findByHash' | 'listGoodFor'>,
  clock: Clock,
): TokenIssuer {
  const isGoodFor = (token: PlacedSourceToken, { action, path }: { action: string; path: string }) =>
    token.action === action && token.path === path && (token.expiresAt === null || token.expiresAt > clock.now())

  return {
    async find(token, question) {
      const found = await tokens.findByHash(sha256Of(token))
      return found && isGoodFor(found, question) ? toPathToken(found) : undefined
    },
    async listProvable(question) {
      return (await tokens.listGoodFor(question.action, question.path, clock.now())).map(toPathToken)
    },
  }
}

/** A token is somebody of its own: it can be expelled without its account, and takes over only from itself. */
export function tokenPrincipal(tokenId: string): string {
  return `token:${tokenId}`
}

function toPathToken({ id, accountId, ha1 }: PlacedSourceToken): ProvableToken {
  return { principal: tokenPrincipal(id), accountId, ha1 }
}
