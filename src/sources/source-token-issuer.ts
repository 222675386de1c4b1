import { createHash } from 'node:crypto'
import { type Clock } from '../core/clock.ts'
import { type TokenIssuer } from '../streams/path-tokens.ts'
import { type PathToken, type SourceTokenStore } from './source-tokens.store.ts'

/** Tokens of sources, as the media server's clients use them. */
export function createSourceTokenIssuer(
  tokens: Pick<SourceTokenStore, 'findByHash' | 'listForPath'>,
  clock: Clock,
): TokenIssuer {
  const isGoodFor = (token: PathToken, { action, path }: { action: string; path: string }) =>
    token.action === action && token.path === path && (token.expiresAt === null || token.expiresAt > clock.now())

  return {
    async find(token, question) {
      const found = await tokens.findByHash(createHash('sha256').update(token).digest('hex'))
      return found && isGoodFor(found, question) ? toPathToken(found) : undefined
    },
    async listProvable(question) {
      const listed = await tokens.listForPath(question.path)
      return listed.filter((token) => isGoodFor(token, question)).map(toPathToken)
    },
  }
}

/** A token is somebody of its own: it can be expelled without its account, and takes over only from itself. */
export function tokenPrincipal(tokenId: string): string {
  return `token:${tokenId}`
}

function toPathToken({ id, accountId, ha1 }: PathToken) {
  return { principal: tokenPrincipal(id), accountId, ha1 }
}
