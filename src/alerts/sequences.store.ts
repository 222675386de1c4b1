import { sql } from 'kysely'
import { type OwnNode } from '../core/own-node.ts'
import { type TakenIds } from '../core/taken-processes.ts'
import { type Db } from '../storage/database.ts'
import { findTaken, inBatches, isOfProcessOf } from '../storage/queries.ts'
import { type Progress, readStoredProgress } from './progress.ts'

/** How far each alert has come at each process: its numbers, so that none is used twice, and what is unfinished. */
export interface SequenceStore {
  /** The last number that is set aside at a process, by alert. */
  reservedAt(processId: string): Promise<ReadonlyMap<string, number>>
  /** Numbers up to this one are set aside from now on, unless more are. */
  raiseReserved(alertId: string, processId: string, reserved: number): Promise<void>
  /** As many numbers more of these processes are set aside, of each alert that has any: another node may have used them. */
  skipNumbers(processIds: readonly string[], count: number): Promise<void>
  /** Notifications of an alert at a process go by this name. */
  addChannel(channel: string, alertId: string, processId: string): Promise<void>
  /** Those by which notifications of an alert may still be on their way, also to where its outputs once were. */
  channelsOf(alertId: string): Promise<string[]>
  endProcess(processId: string, now: number): Promise<void>
  /** Those of these processes that ended while nobody looked. */
  endAllBut(ids: TakenIds, liveProcessIds: readonly string[], now: number): Promise<void>
  removeEndedBefore(time: number): Promise<void>
  removeAlert(alertId: string): Promise<void>
  /**
   * As `toStoredProgress` makes it. Of a process that went to another node nothing is written: what was left in our spool is older than
   * what that has.
   */
  saveProgress(alertId: string, processId: string, progress: string | null): Promise<void>
  /** What there is of one, and whether the process is this node's. */
  progressAt(alertId: string, processId: string): Promise<{ readonly stored: string | null; readonly isOurs: boolean }>
  /** What is left of the last time, of these processes. */
  listProgress(ids: TakenIds): Promise<AlertProgress[]>
}

export interface AlertProgress {
  readonly alertId: string
  readonly progress: Progress
}

export function createSequenceStore(db: Db, node: OwnNode | null = null): SequenceStore {
  async function isOurs(processId: string): Promise<boolean> {
    if (!node) return true
    const ours = db.selectFrom('process').select('id').where('id', '=', processId).where(isOfProcessOf(node, 'id'))
    return (await ours.executeTakeFirst()) !== undefined
  }

  return {
    async reservedAt(processId) {
      const query = db.selectFrom('alert_sequence').select(['alert_id', 'reserved']).where('process_id', '=', processId)
      return new Map((await query.execute()).map(({ alert_id: alertId, reserved }) => [alertId, reserved]))
    },
    async raiseReserved(alertId, processId, reserved) {
      await db
        .insertInto('alert_sequence')
        .values({ alert_id: alertId, process_id: processId, reserved, ended_at: null, progress: null })
        .onConflict((conflict) =>
          conflict.columns(['alert_id', 'process_id']).doUpdateSet({
            reserved: sql`case when alert_sequence.reserved < excluded.reserved then excluded.reserved else alert_sequence.reserved end`,
            ended_at: null,
          }),
        )
        .execute()
    },
    async skipNumbers(processIds, count) {
      for (const some of inBatches(processIds))
        await db
          .updateTable('alert_sequence')
          .set((eb) => ({ reserved: eb('reserved', '+', count) }))
          .where('process_id', 'in', some)
          .execute()
    },
    async addChannel(channel, alertId, processId) {
      await db
        .insertInto('alert_channel')
        .values({ channel, alert_id: alertId, process_id: processId })
        .onConflict((conflict) => conflict.column('channel').doNothing())
        .execute()
    },
    async channelsOf(alertId) {
      const query = db.selectFrom('alert_channel').select('channel').where('alert_id', '=', alertId)
      return (await query.orderBy('channel').execute()).map(({ channel }) => channel)
    },
    async endProcess(processId, now) {
      await db.updateTable('alert_sequence').set({ ended_at: now }).where('process_id', '=', processId).execute()
    },
    async endAllBut(ids, liveProcessIds, now) {
      const live = new Set(liveProcessIds)
      const goingOn = db.selectFrom('alert_sequence').select('process_id').distinct().where('ended_at', 'is', null)
      const taken = ids === 'all' ? (await goingOn.execute()).map((row) => row.process_id) : ids
      const ended = taken.filter((id) => !live.has(id))
      for (const some of inBatches(ended))
        await db
          .updateTable('alert_sequence')
          .set({ ended_at: now })
          .where('ended_at', 'is', null)
          .where('process_id', 'in', some)
          .execute()
    },
    async removeEndedBefore(time) {
      await db.deleteFrom('alert_sequence').where('ended_at', '<', time).execute()
      const counted = db.selectFrom('alert_sequence').select('process_id')
      await db.deleteFrom('alert_channel').where('process_id', 'not in', counted).execute()
    },
    async removeAlert(alertId) {
      await db.deleteFrom('alert_sequence').where('alert_id', '=', alertId).execute()
      await db.deleteFrom('alert_channel').where('alert_id', '=', alertId).execute()
    },
    async saveProgress(alertId, processId, progress) {
      if (!(await isOurs(processId))) return
      if (progress !== null)
        // Its numbers may still be on their way from the spool.
        await db
          .insertInto('alert_sequence')
          .values({ alert_id: alertId, process_id: processId, reserved: 0, ended_at: null, progress })
          .onConflict((conflict) => conflict.columns(['alert_id', 'process_id']).doUpdateSet({ progress }))
          .execute()
      else
        await db
          .updateTable('alert_sequence')
          .set({ progress })
          .where('alert_id', '=', alertId)
          .where('process_id', '=', processId)
          .execute()
    },
    async progressAt(alertId, processId) {
      const row = await db
        .selectFrom('alert_sequence')
        .select('progress')
        .where('alert_id', '=', alertId)
        .where('process_id', '=', processId)
        .executeTakeFirst()
      return { stored: row?.progress ?? null, isOurs: await isOurs(processId) }
    },
    async listProgress(ids) {
      const left = db.selectFrom('alert_sequence').select(['alert_id', 'progress']).where('progress', 'is not', null)
      const rows = await findTaken(ids, (some) => (some ? left.where('process_id', 'in', some) : left).execute())
      return rows.map(({ alert_id: alertId, progress }) => ({ alertId, progress: readStoredProgress(progress!) }))
    },
  }
}
