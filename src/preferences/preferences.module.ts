import { type Bus } from '../core/bus.ts'
import { type AppEvents } from '../core/events.ts'
import { type Db } from '../storage/database.ts'
import { preferenceRoutes } from './preferences.routes.ts'
import { createPreferenceService } from './preferences.service.ts'
import { createPreferenceStore } from './preferences.store.ts'

export interface PreferencesDeps {
  readonly db: Db
  readonly bus: Bus<AppEvents>
}

/** What people set at the console, kept with their keys. */
export function createPreferences({ db, bus }: PreferencesDeps) {
  const store = createPreferenceStore(db)
  bus.on('key-revoked', async ({ accountId, purge }) => {
    if (purge) await store.removeAllOf(accountId)
  })
  return { routes: [preferenceRoutes(createPreferenceService(store))] }
}
