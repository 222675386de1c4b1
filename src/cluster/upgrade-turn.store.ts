import { sql } from 'kysely'
import { type Db } from '../storage/database.ts'
import { leaseNow } from '../storage/lease-clock.ts'
import { latestSchemaVersion, migrate, schemaVersionOf } from '../storage/migrate.ts'
import { whileLockedForUpgrading } from './advisory-locks.store.ts'
import { listNodes } from './node.store.ts'
import { endConnections, listConnections, staleAmong } from './node-connections.store.ts'
import { type UpgradeTurnDeps } from './upgrade-turn.ts'

/** `db` must have more than one connection. */
export function createUpgradeTurnStore(db: Db): UpgradeTurnDeps['store'] {
  return {
    whileNobodyJoins: (run) => whileLockedForUpgrading(db, run),

    async listOlder() {
      const { rows } = await sql<{ now: number }>`select ${leaseNow} as now`.execute(db)
      const nowMs = rows[0]!.now
      const hasNodes = (await db.introspection.getTables()).some(({ name }) => name === 'node')
      if (!hasNodes) return { nodes: [], areTablesOlder: false, nowMs }
      // Versions have their number in front.
      const nodes = await db
        .selectFrom('node')
        .select(['id', 'version', 'lease_until'])
        .where('is_alive', '=', 1)
        .where(sql<boolean>`schema_version collate "C" < ${latestSchemaVersion}`)
        .orderBy('id')
        .execute()
      return {
        nodes: nodes.map(({ id, version, lease_until: leaseUntilMs }) => ({ id, version, leaseUntilMs })),
        areTablesOlder: (await schemaVersionOf(db)) < latestSchemaVersion,
        nowMs,
      }
    },

    async expel(ids) {
      await db
        .updateTable('node')
        .set({ epoch: sql<number>`epoch + 1`, is_alive: 0 })
        .where('id', 'in', ids)
        .execute()
    },

    listStale: async () => staleAmong(await listConnections(db), await listNodes(db)),
    endConnections: (connections) => endConnections(db, connections),
    migrate: () => migrate(db),
  }
}
