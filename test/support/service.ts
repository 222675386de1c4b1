import { type Installation } from './installation.ts'
import { createNodesInstallation } from './nodes-installation.ts'
import { createSingleInstallation } from './single-installation.ts'

/** Set by `npm run cluster`: the service is so many nodes behind a balancer, and tests need not know. */
export const nodesInPlaceOfOne = () => Number(process.env['AERIE_TEST_NODES'] ?? 1)

export function createInstallation(program?: string): Installation {
  const nodes = nodesInPlaceOfOne()
  return nodes > 1 ? createNodesInstallation(nodes) : createSingleInstallation(program)
}
