import { type Bus } from '../core/bus.ts'
import { type Delivery } from '../core/delivery.ts'
import { type AppEvents } from '../core/events.ts'
import { type ProcessRef } from '../core/process-facts.ts'
import { type Log } from '../observe/log.ts'
import { type AlertEventRow } from '../storage/schema.ts'
import { type AlertEventStore } from './alert-events.store.ts'
import { type AlertEvent, type SeenAt } from './analyses/analysis.ts'
import { classesOfEvent, trackIdsOfEvent } from './event-tracks.ts'
import { newEventId } from './event-id.ts'
import { sceneImageIn, withoutPictures } from './event-pictures.ts'
import { type EventPictureFiles } from './event-picture-files.ts'
import { type QueuedEvent } from './notification-queue.ts'

/** What alerts notify of, written down: an event is in the database, or in the spool, before its notification is handed over. */
export interface EventRecord {
  /** It happened just now: its picture is asked for while its frame is at hand. Answers its id, if it has one. */
  begin(process: ProcessRef, event: AlertEvent, seenAt: SeenAt): string | null
  /** Resolves when they are on disk. Their pictures follow. */
  write(process: ProcessRef, events: readonly QueuedEvent[]): Promise<void>
  /** Their notifications are on disk. */
  publish(process: ProcessRef, events: readonly QueuedEvent[]): void
  /** One that waits for the database. */
  findWaiting(eventId: string): AlertEventRow | undefined
  /** Pictures that have not come yet are given up. */
  close(): Promise<void>
}

export interface EventRecordDeps {
  readonly delivery: Pick<Delivery, 'createSpooledWriter'>
  readonly store: Pick<AlertEventStore, 'put'>
  readonly pictures: Pick<EventPictureFiles, 'expect' | 'write' | 'giveUp'>
  /** What a process saw then, in base64: one track, or with null all; null where no picture of it comes. */
  readonly sceneOf: (processId: string, trackId: number | null, takenAtMs: number) => Promise<string | null>
  readonly bus: Pick<Bus<AppEvents>, 'emit'>
  readonly log: Log
}

export function createEventRecord({ delivery, store, pictures, sceneOf, bus, log }: EventRecordDeps): EventRecord {
  const writer = delivery.createSpooledWriter<AlertEventRow>({
    kind: 'alert-event',
    save: (rows) => store.put([...rows.values()]),
  })
  const underWay = new Set<Promise<void>>()

  const writeRows = (rows: readonly AlertEventRow[], accountId: string) =>
    writer.write(new Map(rows.map((row) => [row.id, row])), () => accountId)

  async function keepPicture(row: AlertEventRow): Promise<void> {
    const written = await pictures.write(row)
    if (written) await writeRows([{ ...row, file: written.file, size_bytes: written.sizeBytes }], row.account_id)
  }

  function follow(row: AlertEventRow): void {
    const kept = keepPicture(row)
      .catch((error: unknown) =>
        log.warn({ err: error, event_uuid: row.id }, 'an alert event goes on without its picture'),
      )
      .finally(() => underWay.delete(kept))
    underWay.add(kept)
  }

  return {
    begin({ processId }, event, seenAt) {
      const eventId = newEventId(event)
      if (eventId === null) return null
      const { takenAtMs } = event.seenAt ?? seenAt
      const own = sceneImageIn(event)
      // Without tracking all have the id 0.
      const picture = own === null ? sceneOf(processId, event.trackId || null, takenAtMs) : Promise.resolve(own)
      pictures.expect(eventId, picture)
      return eventId
    },
    async write(process, events) {
      const rows = events.flatMap((one) => (one.eventId === null ? [] : [toRow(process, one, one.eventId)]))
      if (rows.length === 0) return
      await writeRows(rows, process.accountId)
      for (const row of rows) follow(row)
    },
    publish({ processId, accountId, sourceId }, events) {
      for (const { alert, event, eventId, seenAt } of events) {
        if (eventId === null) continue
        const { atMs, startedAtMs } = timesOf(event, seenAt)
        const about = { processId, accountId, sourceId, alertId: alert.id, eventId }
        const named = { alias: alert.alias, type: alert.setup.type, trackIds: trackIdsOfEvent(event) }
        bus.emit('alert-event', { ...about, ...named, event: event.event, atMs, startedAtMs })
      }
    },
    findWaiting: (eventId) => writer.waiting().get(eventId),
    async close() {
      pictures.giveUp()
      await Promise.all(underWay)
    },
  }
}

function timesOf(event: AlertEvent, seenAt: SeenAt) {
  const { takenAtMs: atMs } = event.seenAt ?? seenAt
  return { atMs, startedAtMs: event.startedAtMs ?? atMs }
}

function toRow(process: ProcessRef, { alert, event, seenAt, sequence }: QueuedEvent, id: string): AlertEventRow {
  const { atMs, startedAtMs } = timesOf(event, seenAt)
  const classes = classesOfEvent(alert.setup, event)
  return {
    id,
    account_id: process.accountId,
    source_id: process.sourceId,
    process_id: process.processId,
    alert_id: alert.id,
    alias: alert.alias,
    type: alert.setup.type,
    event: event.event,
    at: Math.floor(atMs),
    started_at: Math.floor(startedAtMs),
    sequence: sequence!,
    data: JSON.stringify(withoutPictures(event).data),
    file: null,
    size_bytes: 0,
    classes: classes && JSON.stringify(classes),
  }
}
