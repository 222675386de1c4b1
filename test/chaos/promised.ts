import { join } from 'node:path'
import Sqlite from 'libsql'
import { type Destination } from '../../src/core/outbound-message.ts'
import { readSpoolOnDisk } from '../support/spool-on-disk.ts'
import { type AlertListener } from '../support/alert-listener.ts'
import { type Arrival } from './losses.ts'

/** A notification by where it must arrive. */
export type Promised = Pick<Arrival, 'stream' | 'sequence'>

/** Everything that notifies twice a second by both channels has this name. */
export const ALERT_ALIAS = 'follow'

/** What a service that was killed had taken and not sent yet, in its database or its spool: the next one must send it. */
export async function readPromised(dataDir: string): Promise<Promised[]> {
  const db = new Sqlite(join(dataDir, 'aerie.db'), { readonly: true })
  try {
    const rows = db.prepare("select body, destination from delivery where state = 'waiting'").all()
    const waiting = (rows as { body: string; destination: string }[]).map(({ body, destination }) => {
      return { body, destination: JSON.parse(destination) as Destination }
    })
    const spooled = await readSpoolOnDisk<{ body: string; destination: Destination }>(dataDir, 'message')
    return [...waiting, ...spooled].flatMap(({ body, destination }) => toPromised(body, destination))
  } finally {
    db.close()
  }
}

function toPromised(body: string, { kind }: Destination): Promised[] {
  const {
    alias,
    alert_uuid: alert,
    process_uuid: process,
    sequence,
  } = JSON.parse(body) as AlertListener['heard'][number]
  return alias === ALERT_ALIAS ? [{ stream: streamOf(kind, alert, process), sequence }] : []
}

/** Whose a notification is: its numbers count up within it. */
export const streamOf = (kind: Destination['kind'], alertId: string, processId: string): string =>
  `${kind} ${alertId} ${processId}`
