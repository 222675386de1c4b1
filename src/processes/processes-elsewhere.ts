import { type Clock } from '../core/clock.ts'
import { type NodeExchange } from '../core/node-exchange.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type Log } from '../observe/log.ts'
import { type Db } from '../storage/database.ts'
import { type DescribeProcess } from './describe-process.ts'
import { createDescribeProcesses, type DescribeProcesses } from './describe-processes.ts'
import { type DetectionChannel } from './detection-channel.ts'
import { createEventForwarder } from './event-forwarder.ts'
import { createEventsElsewhere } from './events-elsewhere.ts'
import { type LiveProcess } from './live-process.ts'
import { createProcessNodesStore } from '../storage/process-nodes.store.ts'
import { type ProcessService } from './processes.service.ts'
import { createStopEverywhere, type StopAll } from './stop-everywhere.ts'

/** What a node of a cluster has to do with processes that run on others; a service that is alone has them all. */
export interface ProcessesElsewhere {
  readonly describeAll: DescribeProcesses
  readonly stopAll: StopAll
  start(): void
  close(): Promise<void>
}

export interface ProcessesElsewhereDeps {
  readonly db: Db
  readonly node: OwnNode | null
  readonly exchange: NodeExchange | null | undefined
  readonly channel: DetectionChannel
  readonly processes: Pick<ProcessService, 'stopAll'>
  readonly describe: DescribeProcess
  readonly findLive: (processId: string) => Pick<LiveProcess, 'process'> | undefined
  readonly clock: Clock
  readonly log: Log
}

export function createProcessesElsewhere(deps: ProcessesElsewhereDeps): ProcessesElsewhere {
  const { db, node, exchange, channel, processes, describe, findLive, clock, log } = deps
  if (!node || !exchange) return allHere(deps)
  const store = createProcessNodesStore(db, node)
  const isHere = (processId: string) => findLive(processId) !== undefined
  const forwarder = createEventForwarder({ channel, isHere, exchange, clock })
  const events = createEventsElsewhere({
    channel,
    isHere,
    store,
    nodeId: node.id,
    exchange,
    onRound: () => forwarder.sweep(),
    clock,
    log,
  })
  return {
    describeAll: createDescribeProcesses({
      describe,
      findHere: (processId) => findLive(processId)?.process,
      store,
      exchange,
      clock,
    }),
    stopAll: createStopEverywhere({ processes, store, exchange }),
    start: () => events.start(),
    async close() {
      await events.close()
      forwarder.close()
    },
  }
}

function allHere({ describe, processes }: Pick<ProcessesElsewhereDeps, 'describe' | 'processes'>): ProcessesElsewhere {
  return {
    describeAll: (all) => Promise.all(all.map(describe)),
    stopAll: (account) => processes.stopAll(account),
    start: () => {},
    close: async () => {},
  }
}
