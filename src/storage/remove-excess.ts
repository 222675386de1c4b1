import { type Log } from '../observe/log.ts'
import { chooseAccountToTrim, type DiskState } from './disk-shares.ts'
import { type KeptFiles, type RemovableFile } from './kept-files.ts'

export interface RemovalDeps {
  readonly kinds: readonly KeptFiles[]
  readonly log: Log
  readonly signal?: AbortSignal | undefined
}

/** Listed at a time. */
const BATCH_FILES = 100
/** In one pass; what is more waits for the next. */
const MAX_REMOVALS = 1_000
/** Of an account in one pass: then it has nothing that can be removed. */
const MAX_FAILURES = 10

/**
 * Removes what is too much of accounts that exceed their share: the least important files, and of these the oldest. Answers how the
 * disk stands then; undefined when there is more to remove than one pass does.
 */
export async function removeExcess(
  before: DiskState,
  { kinds, log, signal }: RemovalDeps,
): Promise<DiskState | undefined> {
  const holders = before.holders.map((holder) => ({ ...holder, hasRemovable: true, removedFiles: 0, failures: 0 }))
  const files = new Map(holders.map(({ accountId }) => [accountId, inOrderOfRemoval(kinds, accountId)]))
  let removedBytes = 0
  let isDone = false
  for (let removals = 0; removals < MAX_REMOVALS && !signal?.aborted;) {
    const accountId = chooseAccountToTrim(holders, before.limitBytes)
    const holder = holders.find((one) => one.accountId === accountId)
    if (!holder) {
      isDone = true
      break
    }
    const { value: file } = await files.get(holder.accountId)!.next()
    if (!file) {
      holder.hasRemovable = false
      continue
    }
    try {
      await file.remove()
    } catch (error) {
      // What cannot be removed keeps none of the others; the next pass tries again.
      log.error({ err: error, account: holder.accountId }, 'a file above an account’s share cannot be removed')
      holder.failures += 1
      holder.hasRemovable = holder.failures < MAX_FAILURES
      continue
    }
    holder.heldBytes -= file.sizeBytes
    holder.removableBytes -= file.sizeBytes
    holder.removedFiles += 1
    removedBytes += file.sizeBytes
    removals += 1
  }
  for (const { accountId, removedFiles } of holders.filter((holder) => holder.removedFiles > 0))
    log.warn(
      { account: accountId, files: removedFiles },
      'the disk budget is used up: the oldest files of an account above its share are removed',
    )
  if (!isDone) return undefined
  const after = { usedBytes: before.usedBytes - removedBytes, leftBytes: before.leftBytes + removedBytes }
  return { ...before, ...after, holders, diskLeftBytes: before.diskLeftBytes + removedBytes }
}

/** Of all kinds. */
async function* inOrderOfRemoval(
  kinds: readonly KeptFiles[],
  accountId: string,
): AsyncGenerator<RemovableFile, undefined> {
  const removals = kinds.flatMap(({ removal }) => removal ?? [])
  const queues = removals.map((removal) => ({ removal, files: [] as RemovableFile[], isEmpty: false }))
  for (;;) {
    for (const queue of queues.filter(({ files, isEmpty }) => files.length === 0 && !isEmpty)) {
      queue.files = [...(await queue.removal.listOldest(accountId, BATCH_FILES))]
      queue.isEmpty = queue.files.length === 0
    }
    const [first] = queues
      .filter(({ files }) => files.length > 0)
      .sort((a, b) => orderOfRemoval(a.files[0]!, b.files[0]!))
    if (!first) return undefined
    yield first.files.shift()!
  }
}

function orderOfRemoval(a: RemovableFile, b: RemovableFile): number {
  return (a.importance ?? 0) - (b.importance ?? 0) || a.writtenAt - b.writtenAt
}
