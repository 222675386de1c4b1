import { createPlacementStore } from '../../src/cluster/placement.store.ts'
import { createPlacementPass } from '../../src/cluster/placement-pass.ts'
import { createNodeStore, type JoiningNode } from '../../src/cluster/node.store.ts'
import { type ClusterNode, type NodeExpelled, type NodeLoad } from '../../src/core/node.ts'
import { createLog } from '../../src/observe/log.ts'
import { createProcessStore } from '../../src/processes/processes.store.ts'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { leaseNow } from '../../src/storage/lease-clock.ts'
import { latestSchemaVersion } from '../../src/storage/migrate.ts'
import { addAccount } from '../builders/account.ts'
import { aProcess } from '../builders/process.ts'

const silent = createLog({ level: 'silent' })

export const aNode = (id: string, change: Partial<JoiningNode> = {}): JoiningNode => ({
  id,
  instance: `data folder of ${id}`,
  labels: [],
  version: '1.0.0',
  schemaVersion: latestSchemaVersion,
  startedAt: 1,
  leaseMs: 60_000,
  ...change,
})

export const aLoad = (room: number | null, change: Partial<NodeLoad> = {}): NodeLoad => ({
  cores: 4,
  freeCores: 2,
  room,
  processes: 0,
  ...change,
})

/** In a database that several nodes share: nodes that are no more than rows, connections, and passes of their placers. */
export async function createFakeNodes(database: Database & { readonly url: string }) {
  const { db } = database
  const nodes = createNodeStore(db)
  const placement = createPlacementStore(db)
  const { account } = await addAccount(database, { username: 'admin', minutes: 10 })
  const processes = createProcessStore(db)
  const opened: Database[] = []
  let addedSources = 0

  const nowMs = async () => (await db.selectNoFrom(leaseNow.as('now')).executeTakeFirstOrThrow()).now

  async function join(id: string, change: Partial<JoiningNode> & { room?: number } = {}): Promise<number> {
    const { room = 10, ...fields } = change
    const node = aNode(id, fields)
    const { epoch } = (await nodes.join(node))!
    await nodes.renew({ id, epoch, leaseMs: node.leaseMs, load: aLoad(room), rtspUrl: null })
    return epoch
  }

  return {
    nodes,
    placement,
    account,
    join,
    nowMs,
    /** As if it had not been heard of for longer than its lease. */
    endLease: (id: string) => db.updateTable('node').set({ lease_until: 1 }).where('id', '=', id).execute(),
    /** Connected as this node. */
    connect(id: string, epoch: number) {
      const refusals: NodeExpelled[] = []
      const own = openDatabase(database.url, undefined, {
        admission: { nodeId: id, epoch, onExpelled: (error) => refusals.push(error) },
      })
      opened.push(own)
      return { db: own.db, refusals }
    },
    async addProcess(
      owner: Pick<ClusterNode, 'id' | 'epoch'> | null,
      { labels, ...change }: Parameters<typeof aProcess>[0] & { labels?: readonly string[] } = {},
    ): Promise<string> {
      const process = aProcess({ accountId: account.id, ...change })
      await processes.insertWithinLimits({ ...account, limits: { ...account.limits, maxProcesses: 10_000 } }, process)
      const placed = { node_id: owner?.id ?? null, node_epoch: owner?.epoch ?? null }
      const placement = labels ? JSON.stringify({ labels }) : null
      await db
        .updateTable('process')
        .set({ ...placed, placement })
        .where('id', '=', process.id)
        .execute()
      return process.id
    },
    async addSource(
      owner: Pick<ClusterNode, 'id' | 'epoch'> | null,
      { type = 'stream', isPulled = true, path = null as string | null } = {},
    ): Promise<string> {
      const id = `s${++addedSources}`
      await db
        .insertInto('source')
        .values({
          id,
          account_id: account.id,
          alias: id,
          type: type as 'file' | 'stream',
          input_url: 'rtsp://camera',
          stream_type: 'rtsp',
          telemetry_cfg: null,
          media_path: path,
          is_pulled: Number(isPulled),
          record: 0,
          recording_mode: 'off',
          size_bytes: 0,
          video: null,
          fingerprint: id,
          created_at: 1,
          content_sha256: null,
          file: null,
          node_id: owner?.id ?? null,
          node_epoch: owner?.epoch ?? null,
        })
        .execute()
      return id
    },
    setLive: (path: string, { id, epoch }: Pick<ClusterNode, 'id' | 'epoch'>) =>
      db
        .insertInto('live_path')
        .values({ path, node_id: id, node_epoch: epoch, principal: 'admin', protocol: 'rtsp', video: null, since: 1 })
        .execute(),
    /** One pass of the placer of a node; one that has only just joined judges nobody. Answers whom it gave something. */
    async place(id: string, { isSteady = true } = {}): Promise<string[]> {
      const placedOn: string[] = []
      const steadyMs = isSteady ? await nowMs() : undefined
      await createPlacementPass({
        store: placement,
        membership: { id, isWithinLease: () => true, steadyDatabaseMs: () => steadyMs },
        onPlaced: (nodeIds) => placedOn.push(...nodeIds),
        log: silent,
      })()
      return placedOn.sort()
    },
    async ownerOf(table: 'process' | 'source', id: string): Promise<string | null> {
      const row = await db
        .selectFrom(table)
        .select(['node_id', 'node_epoch'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const node = await db
        .selectFrom('node')
        .select('epoch')
        .where('id', '=', row.node_id ?? '')
        .executeTakeFirst()
      return node && node.epoch === row.node_epoch ? row.node_id : null
    },
    /** Their connections. */
    async disconnect(): Promise<void> {
      await Promise.all(opened.map((own) => own.close()))
    },
  }
}
