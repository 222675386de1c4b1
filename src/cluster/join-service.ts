import { type Clock } from '../core/clock.ts'
import { type NodeExpelled, type NodeLoad } from '../core/node.ts'
import { type Log } from '../observe/log.ts'
import { type Database, type Db, openDatabase } from '../storage/database.ts'
import { latestSchemaVersion } from '../storage/migrate.ts'
import { readServiceSecret } from '../storage/secret-files.ts'
import { sharedServiceSecret } from '../storage/shared-secret.ts'
import { adoptFiles } from './adopt-files.store.ts'
import { joinCluster, type Membership } from './membership.ts'
import { createNodeStore, type JoiningNode } from './node.store.ts'
import { isServedAlone } from './node-connections.store.ts'
import { migrateInTurn } from './upgrade-turn.ts'
import { createUpgradeTurnStore } from './upgrade-turn.store.ts'

export interface JoinOptions extends Omit<JoiningNode, 'schemaVersion' | 'startedAt'> {
  readonly databaseUrl: string
  readonly dataDir: string
}

/** What a node reports of itself with each renewal, as soon as it knows. */
export interface ReportedFacts {
  readonly load: () => NodeLoad | null
  readonly rtspUrl: () => string | null
}

/** This service as a node of several, before anything else of it is made. */
export interface JoinedNode {
  readonly membership: Membership
  /** Connected for as long as this is a node. */
  readonly database: Database
  /** That all nodes share. */
  readonly secret: string
  /** With the next renewal. */
  report(facts: ReportedFacts): void
  /** The last step: nothing of this node is connected any more, and others take over its work. False when they had it already. */
  leave(): Promise<boolean>
}

/** A renewal must not wait behind anything else. */
const OWN_CONNECTIONS = 3

export async function joinService(options: JoinOptions, deps: { clock: Clock; log: Log }): Promise<JoinedNode> {
  const { databaseUrl, dataDir, ...node } = options
  const { clock, log } = deps
  const own = openDatabase(databaseUrl, log, { maxConnections: OWN_CONNECTIONS })
  let facts: ReportedFacts = { load: () => null, rtspUrl: () => null }
  try {
    await requireNobodyAlone(own.db)
    await migrateInTurn({ store: createUpgradeTurnStore(own.db), leaseMs: node.leaseMs, clock, log })
    const secret = await sharedServiceSecret(own.db, dataDir)
    const membership = await joinCluster({
      store: createNodeStore(own.db),
      node: { ...node, schemaVersion: latestSchemaVersion },
      load: () => facts.load(),
      rtspUrl: () => facts.rtspUrl(),
      clock,
      log,
    })
    const { id: nodeId, epoch } = membership
    if (secret === readServiceSecret(dataDir)) await adoptFiles(own.db, { id: nodeId, epoch })
    const onExpelled = (error: NodeExpelled) => membership.expel(error)
    const database = openDatabase(databaseUrl, log, { admission: { nodeId, epoch, onExpelled } })
    return {
      membership,
      database,
      secret,
      report: (known) => void (facts = known),
      async leave() {
        await database.close()
        const wasMember = await membership.leave()
        await own.close()
        return wasMember
      },
    }
  } catch (error) {
    await own.close()
    throw error
  }
}

/** It would go on with what nodes are given, and its files and its secret are to be those of the first node. */
async function requireNobodyAlone(db: Db): Promise<void> {
  if (await isServedAlone(db))
    throw new Error(
      'A service of one node runs on this database. Start that one again with AERIE_NATS_URL, which makes it the first of several; ' +
        'this one joins then. Or stop it.',
    )
}
