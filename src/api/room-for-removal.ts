import { type FastifyInstance } from 'fastify'

/** Before what gives room back or takes rights away: a full disk must keep nobody from it. Only who has a key gets this far. */
export function addRoomForRemoval(app: FastifyInstance, makeRoom: () => void): void {
  app.addHook('preHandler', async ({ method, routeOptions }) => {
    if (method === 'DELETE' || routeOptions.config.revokes) makeRoom()
  })
}
