import { BlockList, isIP } from 'node:net'
import { type Account } from '../core/account.ts'
import { type DigestProof, isDigestProofOf } from '../core/digest.ts'
import { AppError } from '../core/errors.ts'
import { withoutMapping } from '../core/ip-address.ts'
import { ownerOfPath, streamOfPreview } from '../core/media-path.ts'
import { type SourceRights } from '../core/source-rights.ts'
import { type Access, type AccessAnswer, type AccessQuestion, type RefusalReason } from '../media/messages.ts'
import { type InternalTokens } from './grants.ts'
import { type PathToken, type TokenIssuer } from './path-tokens.ts'
import { pullPrincipal } from './pulled-paths.ts'
import { type RelayTokens } from './relay-tokens.ts'

/** Who needs credentials to read: everybody, everybody but this machine, or nobody. */
export type MediaAuth = 'always' | 'remote' | 'off'

export interface MediaAccessDeps {
  readonly auth: MediaAuth
  /** Each throws what is wrong with the key. `…Again`: of a client that was admitted before, so failures do not count. */
  readonly authenticator: {
    byKey(key: string, address: string): Promise<Account>
    byKeyAgain(key: string): Promise<Account>
    byDigest(username: string, proof: DigestProof, address: string): Promise<Account>
    byDigestAgain(username: string, proof: DigestProof): Promise<Account>
    byId(accountId: string): Promise<Account>
  }
  readonly owners: {
    /** Whether this account may use what belongs to that username: its own, or a child's. */
    mayUse(account: Account, username: string): Promise<boolean>
    find(username: string): Promise<Account | undefined>
  }
  /** Who was given the right to watch a source. */
  readonly rights: Pick<SourceRights, 'mayWatch'>
  readonly internalTokens: Pick<InternalTokens, 'find'>
  /** Of our other nodes. */
  readonly relayTokens: Pick<RelayTokens, 'isValid'>
  readonly issuers: readonly TokenIssuer[]
  /** We fetch this path's stream ourselves, or another node does. */
  readonly isPulled: (path: string) => boolean
}

/** Decides which clients may publish to a path or read it; throws an `AppError` that says why not. */
export type Admit = (question: AccessQuestion) => Promise<Access>

export function createAdmission(deps: MediaAccessDeps): Admit {
  const { auth, authenticator, owners, rights, internalTokens, relayTokens, issuers, isPulled } = deps

  /** The owner of the credentials: an account, or a token that is as narrow as this question. */
  async function identify(question: AccessQuestion): Promise<Account | Access> {
    const { request, isAgain } = question
    const { credentials, remoteAddress } = request
    const byKey = (key: string) => (isAgain ? authenticator.byKeyAgain(key) : authenticator.byKey(key, remoteAddress))
    switch (credentials.kind) {
      case 'key':
        return byKey(credentials.key)
      case 'token':
        return byToken(credentials.token, question)
      case 'password': {
        const token = await byToken(credentials.password, question).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error
        })
        if (token) return token
        const account = await byKey(credentials.password)
        if (account.username !== credentials.username) throw new AppError('api-key-invalid')
        return account
      }
      case 'digest': {
        const provable = await Promise.all(issuers.map(async (issuer) => (await issuer.listProvable?.(question)) ?? []))
        const proven = provable.flat().find(({ ha1 }) => isDigestProofOf(ha1, credentials))
        if (proven) return byPathToken(proven)
        return isAgain
          ? authenticator.byDigestAgain(credentials.username, credentials)
          : authenticator.byDigest(credentials.username, credentials, remoteAddress)
      }
      case 'none':
        throw new AppError('api-key-missing')
    }
  }

  async function byToken(token: string, question: AccessQuestion): Promise<Access> {
    const { action, path } = question
    const right = internalTokens.find(token)
    if (right) {
      if (right.action !== action || right.path !== path) throw new AppError('token-invalid')
      const { onBehalfOf, isForViewers } = right
      return { principal: 'internal', ...onBehalfOf, isInternal: true, ...(isForViewers && { isForViewers }) }
    }
    if (relayTokens.isValid(token, action, path)) return { principal: 'relay', isInternal: true, isRelay: true }
    for (const issuer of issuers) {
      const found = await issuer.find(token, question)
      if (found) return byPathToken(found)
    }
    throw new AppError('token-invalid')
  }

  async function byPathToken({ principal, accountId }: PathToken): Promise<Access> {
    await checkAccount(accountId)
    return { principal }
  }

  /** A token dies with the key of the account that made it. */
  async function checkAccount(accountId: string): Promise<void> {
    await authenticator.byId(accountId).catch((error: unknown) => {
      throw error instanceof AppError ? new AppError('token-invalid', {}, { cause: error }) : error
    })
  }

  /** A publication counts against the limit of whose name its path has. */
  async function withQuota(access: Access, path: string): Promise<Access> {
    const owner = await owners.find(ownerOfPath(path))
    if (!owner) throw new AppError('token-invalid')
    return { ...access, quota: { owner: owner.username, maxPaths: owner.limits.maxSources } }
  }

  /** A reading counts likewise, with any credentials: tokens, and clients that need none, are many. */
  async function withReaderQuota(access: Access, path: string): Promise<Access> {
    const owner = await owners.find(ownerOfPath(path))
    if (!owner) return access
    return { ...access, readerQuota: { owner: owner.username, maxReaders: owner.limits.maxReaders } }
  }

  return async (question) => {
    const { path, isAgain } = question
    const access = await decide(question)
    if (access.isInternal || isAgain) return access
    return question.action === 'publish' ? withQuota(access, path) : withReaderQuota(access, path)
  }

  async function decide(question: AccessQuestion): Promise<Access> {
    const { action, path, request } = question
    const isOpen = action === 'read' && (auth === 'off' || (auth === 'remote' && isLoopback(request.remoteAddress)))
    if (isOpen && request.credentials.kind === 'none') return { principal: 'anonymous' }
    const identity = await identify(question)
    if ('isInternal' in identity) return identity
    if (action === 'publish' && streamOfPreview(path) !== undefined)
      throw new AppError('preview-path-reserved', { path })
    const access = 'principal' in identity ? identity : await ofAccount(identity, question)
    if (action === 'publish' && isPulled(path) && access.principal !== pullPrincipal(path))
      throw new AppError('camera-path-reserved', { path })
    return access
  }

  async function ofAccount(account: Account, { action, path }: AccessQuestion): Promise<Access> {
    if (await owners.mayUse(account, ownerOfPath(path))) return { principal: account.id, isOwner: true }
    // Who may watch a stream may see its preview.
    if (action === 'read' && (await rights.mayWatch(account.id, streamOfPreview(path) ?? path)))
      return { principal: account.id }
    // The same whether there is such a stream or not.
    throw new AppError('stream-not-found', { path, username: account.username })
  }
}

/** The decision in the media server's words. */
export type DecideAccess = (question: AccessQuestion) => Promise<AccessAnswer>

/** `howToGiveAKey` is in the words of users that set up a camera or a player, which have no headers to send. */
export function createMediaAccess(admit: Admit, howToGiveAKey: () => string): DecideAccess {
  return async (question) => {
    try {
      return { access: await admit(question) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const reason = refusalReasons[error.code] ?? 'credentials-wrong'
      return { refusal: { reason, sentence: reason === 'credentials-needed' ? howToGiveAKey() : error.message } }
    }
  }
}

const refusalReasons: Readonly<Record<string, RefusalReason>> = {
  'api-key-missing': 'credentials-needed',
  'stream-not-found': 'forbidden',
  'preview-path-reserved': 'forbidden',
  'camera-path-reserved': 'path-in-use',
  'too-many-attempts': 'unavailable',
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/**
 * Also of what a proxy reports, which may be no address at all. Narrower than an address set on purpose: what merely stands
 * for 127.0.0.1 (6to4, NAT64) may be refused like it, but opens nothing.
 */
export function isLoopback(address: string): boolean {
  const plain = withoutMapping(address)
  const family = isIP(plain)
  return family !== 0 && loopback.check(plain, family === 6 ? 'ipv6' : 'ipv4')
}
