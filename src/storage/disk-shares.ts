/** An account that has something on the disk. */
export interface Holder {
  readonly accountId: string
  /** The master that it belongs to; itself for a master. */
  readonly masterId: string
  readonly heldBytes: number
  /** Of these, what makes room when it has to: recordings and processed video that are not being written any more. */
  readonly removableBytes: number
}

/** How the disk stands: who holds what, and how much room there is. */
export interface DiskState {
  readonly holders: readonly Holder[]
  readonly usedBytes: number
  /** At most zero when others have filled the disk. */
  readonly limitBytes: number
  /** Below zero when too much is kept already. */
  readonly leftBytes: number
  /** Until the disk itself is full, whatever the budget says. */
  readonly diskLeftBytes: number
}

export interface TrimCandidate extends Holder {
  /** Whether it has anything that may be removed: uploads never are, nor what is being written. */
  readonly hasRemovable: boolean
}

type Sharer = Pick<Holder, 'accountId' | 'masterId'>

/**
 * What each holder may count on: the budget in equal parts. Masters divide first, and the accounts of each master then
 * divide its part, so that nobody gets more of the disk by making keys.
 */
export function sharesOf(holders: readonly Sharer[], limitBytes: number): ReadonlyMap<string, number> {
  const accounts = new Map<string, number>()
  for (const { masterId } of holders) accounts.set(masterId, (accounts.get(masterId) ?? 0) + 1)
  const masterShare = Math.max(0, limitBytes) / accounts.size
  return new Map(
    holders.map(({ accountId, masterId }) => [accountId, Math.floor(masterShare / accounts.get(masterId)!)]),
  )
}

/** The share of one account, which counts also when it holds nothing yet. */
export function shareOf({ holders, limitBytes }: DiskState, account: { id: string; masterId: string | null }): number {
  const isHolder = holders.some(({ accountId }) => accountId === account.id)
  const newcomer = { accountId: account.id, masterId: account.masterId ?? account.id }
  return sharesOf(isHolder ? holders : [...holders, newcomer], limitBytes).get(account.id)!
}

export function heldBy({ holders }: Pick<DiskState, 'holders'>, accountId: string): number {
  return holders.find((holder) => holder.accountId === accountId)?.heldBytes ?? 0
}

/** What stays until its account removes it. */
export function fixedBy({ holders }: Pick<DiskState, 'holders'>, accountId: string): number {
  const holder = holders.find((one) => one.accountId === accountId)
  return holder ? holder.heldBytes - holder.removableBytes : 0
}

/**
 * The account that loses a file next: of those that exceed their share, the one that exceeds it most. Nobody while all is
 * within the limit, and never an account that is within its share, whatever others hold.
 */
export function chooseAccountToTrim(holders: readonly TrimCandidate[], limitBytes: number): string | undefined {
  if (holders.reduce((sum, { heldBytes }) => sum + heldBytes, 0) <= limitBytes) return undefined
  const shares = sharesOf(holders, limitBytes)
  let chosen: string | undefined
  let maxExcess = 0
  for (const { accountId, heldBytes, hasRemovable } of holders) {
    const excess = heldBytes - shares.get(accountId)!
    if (!hasRemovable || excess <= maxExcess) continue
    chosen = accountId
    maxExcess = excess
  }
  return chosen
}

/**
 * Whether more of this account may be written: while there is room, or while the account is within its share; in neither
 * case on a full disk. `marginBytes` of room more are asked of an account that was stopped, so that it does not stop and go.
 */
export function mayGrow(state: DiskState, accountId: string, marginBytes = 0): boolean {
  if (state.diskLeftBytes < marginBytes) return false
  if (state.leftBytes >= marginBytes) return true
  // The master of an account that holds nothing makes no difference here.
  return heldBy(state, accountId) + marginBytes <= shareOf(state, { id: accountId, masterId: null })
}
