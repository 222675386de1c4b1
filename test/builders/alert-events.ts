import { newEventId } from '../../src/alerts/event-id.ts'
import { type EventRecord } from '../../src/alerts/event-record.ts'

/** For alerts whose events nobody keeps. */
export const unrecorded: Pick<EventRecord, 'begin' | 'write' | 'publish'> = {
  begin: (_process, event) => newEventId(event),
  async write() {},
  publish() {},
}
