import { type FastifyInstance } from 'fastify'
import { isMaster } from '../core/account.ts'
import { type UrgentWork } from '../core/urgent-work.ts'

/**
 * Before a handler that a full disk must keep nobody from. Room is given to routes that say so, all of which need a key: else
 * any client that reaches the port could use up all of it.
 */
export function addRoomForUrgentWork(app: FastifyInstance, makeRoom: (work: UrgentWork) => void): void {
  app.addHook('preHandler', async ({ account, routeOptions }) => {
    const work = routeOptions.config.urgentWork
    if (work === undefined || !account) return
    // Others are refused by the handler, and would take what is kept for masters.
    if (work === 'key-revocation' && !isMaster(account)) return
    makeRoom(work)
  })
}
