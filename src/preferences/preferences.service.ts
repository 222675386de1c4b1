import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { type Preferences } from './preferences.schema.ts'
import { type KeptPreferences, type PreferenceStore } from './preferences.store.ts'

export const MAX_PREFERENCES = 64
export const MAX_VALUE_BYTES = 16_384

export type PreferenceService = ReturnType<typeof createPreferenceService>

/** What somebody set at the console, kept with the key, so that it is the same in every browser. The service makes nothing of it. */
export function createPreferenceService(store: Pick<PreferenceStore, 'list' | 'change'>) {
  return {
    list: async ({ id }: Pick<Account, 'id'>): Promise<Preferences> => toPreferences(await store.list(id)),

    async change({ id }: Pick<Account, 'id'>, change: Preferences): Promise<Preferences> {
      const entries = Object.entries(change).map(([name, value]) => [name, toText(name, value)] as const)
      if (entries.filter(([, value]) => value !== null).length > MAX_PREFERENCES)
        throw new AppError('preference-limit-reached', { limit: MAX_PREFERENCES })
      return toPreferences(await store.change(id, new Map(entries), MAX_PREFERENCES))
    },
  }
}

function toText(name: string, value: unknown): string | null {
  if (value === null) return null
  const text = JSON.stringify(value)
  const size_bytes = Buffer.byteLength(text)
  if (size_bytes > MAX_VALUE_BYTES)
    throw new AppError('preference-too-large', { name, size_bytes, limit_bytes: MAX_VALUE_BYTES })
  return text
}

function toPreferences(kept: KeptPreferences): Preferences {
  return Object.fromEntries([...kept].map(([name, value]) => [name, JSON.parse(value) as unknown]))
}
