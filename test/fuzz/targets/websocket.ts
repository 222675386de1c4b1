import { type AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { fastify, type FastifyInstance } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { addWebsockets } from '../../../src/api/websockets.ts'
import { type Account } from '../../../src/core/account.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { createDetectionChannel } from '../../../src/processes/detection-channel.ts'
import { detectionRoutes } from '../../../src/processes/detection.routes.ts'
import { telemetryRoutes } from '../../../src/telemetry/telemetry.routes.ts'
import { createTelemetryService } from '../../../src/telemetry/telemetry.service.ts'
import { aProcess, aScene } from '../../builders/process.ts'
import { until } from '../../support/until.ts'
import { PROCESS, websocketConnection } from '../inputs/websocket-frames.ts'
import { checkStatuses, talk } from '../talk.ts'
import { type FuzzTarget } from '../target.ts'

const TIMES = { firstMs: 50, quietMs: 20, maxMs: 2_000 }

/** The sockets of one process that runs: those into which telemetry is sent, and those by which others listen. */
export const websocket: FuzzTarget = {
  name: 'websocket',
  about: 'handshakes and frames to the sockets of telemetry and detections, by TCP',
  counts: { short: 100, long: 10_000 },
  async open() {
    const process = aProcess({ state: 'running' })
    const channel = createDetectionChannel()
    const server = await listen(process, channel)
    const scene = aScene({ ids: [1, 2, 3] })
    return {
      create: websocketConnection,
      async feed(input) {
        const bytes = Buffer.from(input.toString('latin1').replaceAll(PROCESS, process.id), 'latin1')
        checkStatuses(await talk(server.port, bytes, { ...TIMES, onFirst: () => channel.onScene(process, scene) }))
      },
      async settle() {
        server.app.server.closeAllConnections()
        // Those that have asked for a websocket are not among them.
        await until(async () => (await server.countConnections()) === 0)
        if (channel.countClients(process.id) > 1) throw new Error('Clients that have left are still listened to.')
      },
      close: () => server.close(),
    }
  },
}

async function listen(process: ReturnType<typeof aProcess>, channel: ReturnType<typeof createDetectionChannel>) {
  const app: FastifyInstance = fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  await addWebsockets(app)
  const owners = { resolve: async () => ({}) as Account }
  const telemetry = createTelemetryService({
    geoidHeightM: () => 0,
    dial: async () => '127.0.0.1',
    clock: systemClock,
  })
  const cfg = { type: 'websocket', format: 'native', parameters: {} } as const
  telemetry.begin({ processId: process.id, accountId: 'a', cfg, onSample: () => {} })
  const processes = { find: async () => process, stateOf: () => process.state }
  const seen = { ownerOf: async () => ({ owner: {} as Account, isOfOthers: false }) }
  await app.register(detectionRoutes({ processes, channel, seen }))
  await app.register(
    telemetryRoutes({ telemetry, owners, processes: { checkLive: async () => {}, onEnd: () => () => {} } }),
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    app,
    port: (app.server.address() as AddressInfo).port,
    countConnections: () => promisify(app.server.getConnections.bind(app.server))(),
    async close() {
      app.server.closeAllConnections()
      await app.close()
      await telemetry.close()
    },
  }
}
