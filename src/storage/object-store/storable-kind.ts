/** What a feature keeps in files, as far as the object store has to know. */
export interface StorableKind {
  /** The first part of its files' names below the data folder. */
  readonly kind: string
  /**
   * A part at a time: what is complete, will not change, and may not be known to the store. All that there is with 0; otherwise what may
   * have become so after `since`, which is asked for every few seconds.
   */
  listSettled(since: number): AsyncIterable<readonly SettledFile[]>
  /** No row of its own says on which node a file is: nodes note them where there is no object store too. */
  readonly isFoundByNote?: boolean
  /** Whether somebody reads it by its path on the disk, and would miss it there. */
  isInUse?(file: string): Promise<boolean>
}

export async function isFileInUse(
  kinds: readonly StorableKind[],
  { kind, file }: { readonly kind: string; readonly file: string },
): Promise<boolean> {
  return (await kinds.find((one) => one.kind === kind)?.isInUse?.(file)) ?? false
}

export interface SettledFile {
  /** Below the data folder. */
  readonly file: string
  readonly accountId: string
}
