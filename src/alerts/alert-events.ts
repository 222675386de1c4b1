import { type OwnNode } from '../core/own-node.ts'
import { createSearchedOwners, type SearchedOwnersDeps } from '../core/searched-owners.ts'
import { type Db } from '../storage/database.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type FileRemoval } from '../storage/file-removal.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { createAlertEventKeeper } from './alert-event-keeper.ts'
import { alertEventRoutes } from './alert-events.routes.ts'
import { type AlertEventServiceDeps, createAlertEventService } from './alert-events.service.ts'
import { createAlertEventStore } from './alert-events.store.ts'
import { EVENTS, type EventPictureFiles } from './event-picture-files.ts'
import { createEventRecord, type EventRecordDeps } from './event-record.ts'

export interface AlertEventDeps
  extends
    Pick<EventRecordDeps, 'delivery' | 'sceneOf' | 'bus' | 'log'>,
    Pick<AlertEventServiceDeps, 'links' | 'findAccount' | 'clock'>,
    SearchedOwnersDeps {
  readonly db: Db
  readonly node: OwnNode | null
  readonly eventPictures: EventPictureFiles
  readonly places: FilePlaces
  readonly budget: Pick<DiskBudget, 'count'>
  readonly fileRemoval: Pick<FileRemoval, 'removeHere' | 'leaveTo'>
}

/** What alerts notify of, as it is kept: written, listed, shown, removed in time. */
export function createAlertEvents(deps: AlertEventDeps) {
  const { db, node, eventPictures: pictures, places, budget, links, rights, owners } = deps
  const store = createAlertEventStore(db, node)
  const record = createEventRecord({ ...deps, store, pictures })
  const keeper = createAlertEventKeeper({ ...deps, store, pictures })
  budget.count(keeper.kept)
  places.add({
    kind: EVENTS,
    listSettled: (since) => store.listUnstored(since),
    isFoundByNote: true,
  })
  const events = createAlertEventService({ ...deps, store, record, keeper })
  return {
    record,
    routes: alertEventRoutes({ events, links, searchedOwners: createSearchedOwners({ owners, rights }) }),
    job: keeper.job,
    removeAllOf: (accountId: string) => keeper.removeAllOf(accountId),
    close: () => record.close(),
  }
}
