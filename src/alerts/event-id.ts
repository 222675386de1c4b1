import { orderedUuid } from '../core/ordered-uuid.ts'
import { type AlertEvent, isUpdate } from './analyses/analysis.ts'

/** An update has none: it says where something is now, and is kept nowhere. */
export const newEventId = (event: AlertEvent): string | null => (isUpdate(event) ? null : orderedUuid())
