import { type SourceRights } from '../../src/core/source-rights.ts'

/** Where nobody was given anything: everybody has its own. */
export const ownRights: Pick<SourceRights, 'ownerFor' | 'ownerForProcess' | 'findGiven' | 'listGiven'> = {
  ownerFor: async (caller) => caller,
  ownerForProcess: async (caller) => caller,
  findGiven: async () => undefined,
  listGiven: async () => [],
}
