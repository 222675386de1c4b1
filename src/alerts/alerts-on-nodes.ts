import { type NodeExchange } from '../core/node-exchange.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type Db } from '../storage/database.ts'
import { createProcessNodesStore } from '../storage/process-nodes.store.ts'
import { type AlertChanges, type AlertChangesDeps, createAlertChanges } from './alert-changes.ts'
import {
  allAlertsHere,
  type AlertsElsewhere,
  type AlertsElsewhereDeps,
  createAlertsElsewhere,
} from './alerts-elsewhere.ts'

/** What a node of a cluster has to do with alerts at others; a service that is alone has nothing of it. */
export interface AlertsOnNodes extends AlertChanges {
  readonly elsewhere: AlertsElsewhere
}

export interface AlertsOnNodesDeps
  extends
    Omit<AlertChangesDeps, 'processNodes' | 'exchange'>,
    Omit<AlertsElsewhereDeps, 'processNodes' | 'exchange' | 'store' | 'oneOffs' | 'clock'> {
  readonly oneOffs: AlertChangesDeps['oneOffs'] & AlertsElsewhereDeps['oneOffs']
  readonly db: Db
  readonly node: OwnNode | null
  readonly exchange: NodeExchange | null | undefined
}

export function createAlertsOnNodes({ db, node, exchange, ...deps }: AlertsOnNodesDeps): AlertsOnNodes {
  if (!node || !exchange)
    return { elsewhere: allAlertsHere, broadcast: async () => {}, start: () => {}, close: async () => {} }
  const onNodes = { ...deps, processNodes: createProcessNodesStore(db, node), exchange }
  return { elsewhere: createAlertsElsewhere(onNodes), ...createAlertChanges(onNodes) }
}
