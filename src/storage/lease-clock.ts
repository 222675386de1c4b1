import { sql } from 'kysely'

/** The clock of leases: PostgreSQL's, which all nodes share. Milliseconds since the Unix epoch, as it goes on within a transaction. */
export const leaseNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** Whether a row of `node` is of one that runs, as far as its lease says. */
export const isLeased = sql<boolean>`(node.is_alive = 1 and node.lease_until >= ${leaseNow})`
