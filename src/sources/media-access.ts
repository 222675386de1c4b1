import { createHash } from 'node:crypto'
import { BlockList } from 'node:net'
import { type Clock } from '../core/clock.ts'
import { type DigestProof, isDigestProofOf } from '../core/digest.ts'
import { AppError } from '../core/errors.ts'
import { streamOfPreview } from '../core/media-path.ts'
import { type Account } from '../core/words.ts'
import { type Access, type AccessAnswer, type AccessQuestion, type RefusalReason } from '../media/messages.ts'
import { type InternalTokens } from './internal-tokens.ts'
import { type PathToken, type SourceTokenStore } from './source-tokens.store.ts'

export interface MediaAccessDeps {
  readonly auth: 'always' | 'remote' | 'off'
  readonly authenticator: {
    byKey(key: string, address: string): Promise<Account>
    byDigest(username: string, proof: DigestProof, address: string): Promise<Account>
  }
  readonly owners: {
    /** Whether this account may use what belongs to that username: its own, or a child's. */
    mayUse(account: Account, username: string): Promise<boolean>
  }
  readonly tokens: Pick<SourceTokenStore, 'findByHash' | 'listForPath'>
  readonly internalTokens: Pick<InternalTokens, 'find'>
  /** Tokens in the addresses of processed streams. */
  readonly outputs: { mayRead(token: string, path: string): Promise<boolean> }
  readonly clock: Clock
}

/** Decides who may publish to a path and who may read it: answers who it is, or throws an `AppError` that says why not. */
export type Admit = (question: AccessQuestion) => Promise<Access>

export function createAdmission(deps: MediaAccessDeps): Admit {
  const { auth, authenticator, owners, tokens, internalTokens, outputs, clock } = deps

  /** Who has shown what: an account, or a token that is as narrow as this question. */
  async function identify({
    action,
    path,
    request,
  }: AccessQuestion): Promise<Account | 'token-fits' | { principal: string }> {
    const { credentials, remoteAddress } = request
    switch (credentials.kind) {
      case 'key':
        return authenticator.byKey(credentials.key, remoteAddress)
      case 'token':
        return byToken(credentials.token, action, path)
      case 'password': {
        const token = await byToken(credentials.password, action, path).catch(() => undefined)
        if (token) return token
        const account = await authenticator.byKey(credentials.password, remoteAddress)
        if (account.username !== credentials.username) throw new AppError('api-key-invalid')
        return account
      }
      case 'digest': {
        const proven = (await tokens.listForPath(path)).find(
          (token) => isFit(token, action, path) && isDigestProofOf(token.ha1, credentials),
        )
        return proven
          ? { principal: tokenPrincipal(proven.id) }
          : authenticator.byDigest(credentials.username, credentials, remoteAddress)
      }
      case 'none':
        throw new AppError('api-key-missing')
    }
  }

  async function byToken(token: string, action: string, path: string): Promise<'token-fits' | { principal: string }> {
    const right = internalTokens.find(token)
    if (right) {
      if (right.action === action && right.path === path) return 'token-fits'
      throw new AppError('token-invalid')
    }
    if (action === 'read' && (await outputs.mayRead(token, path))) return { principal: 'output-viewer' }
    const found = await tokens.findByHash(createHash('sha256').update(token).digest('hex'))
    if (!found || !isFit(found, action, path)) throw new AppError('token-invalid')
    return { principal: tokenPrincipal(found.id) }
  }

  function isFit(token: PathToken, action: string, path: string): boolean {
    return token.action === action && token.path === path && (token.expiresAt === null || token.expiresAt > clock.now())
  }

  return async (question) => {
    const { action, path, request } = question
    const isOpen = action === 'read' && (auth === 'off' || (auth === 'remote' && isLoopback(request.remoteAddress)))
    if (isOpen && request.credentials.kind === 'none') return { principal: 'anonymous' }
    const identity = await identify(question)
    if (identity === 'token-fits') return { principal: 'internal' }
    if (action === 'publish' && streamOfPreview(path) !== undefined)
      throw new AppError('preview-path-reserved', { path })
    if ('principal' in identity) return identity
    if (await owners.mayUse(identity, path.split('/')[0]!)) return { principal: identity.id }
    // The same whether there is such a stream or not.
    throw new AppError('stream-not-found', { path, username: identity.username })
  }
}

/** The decision in the media server's words. */
export type DecideAccess = (question: AccessQuestion) => Promise<AccessAnswer>

export function createMediaAccess(admit: Admit): DecideAccess {
  return async (question) => {
    try {
      return { access: await admit(question) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const reason = refusalReasons[error.code] ?? 'credentials-wrong'
      return { refusal: { reason, sentence: reason === 'credentials-needed' ? HOW_TO_GIVE_A_KEY : error.message } }
    }
  }
}

/** In the words of whoever sets up a camera or a player, who has no headers to send. */
const HOW_TO_GIVE_A_KEY = 'Give your key: rtsp://<username>:KEY@host/<path>, or rtmp://host/<path>?api_key=KEY.'

const refusalReasons: Readonly<Record<string, RefusalReason>> = {
  'api-key-missing': 'credentials-needed',
  'stream-not-found': 'forbidden',
  'preview-path-reserved': 'forbidden',
  'too-many-attempts': 'unavailable',
}

/** A token is somebody of its own: it can be shown the door without its account, and takes over only from itself. */
export function tokenPrincipal(tokenId: string): string {
  return `token:${tokenId}`
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

export function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '')
  return loopback.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4')
}
