import { createExchange, type Exchange } from '../../src/cluster/exchange.ts'
import { createNatsBus, type NatsBus } from '../../src/cluster/nats-bus.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createLog } from '../../src/observe/log.ts'
import { createNatsServer, type NatsServer } from './nats.ts'
import { until } from './until.ts'

/** Nodes that talk to each other through a real NATS server. */
export interface TestExchanges {
  readonly nats: NatsServer
  join(nodeId: string): Promise<Exchange>
  /** All that the nodes listen to is known to the server. */
  settle(): Promise<void>
  remove(): Promise<void>
}

export async function createTestExchanges(): Promise<TestExchanges> {
  const nats = await createNatsServer()
  const log = createLog({ level: 'silent' })
  const joined: { bus: NatsBus; exchange: Exchange }[] = []

  /** What a connection has sent before is dealt with when its own message is back. */
  async function settleOne(bus: NatsBus): Promise<void> {
    let isBack = false
    const stop = bus.subscribe('test.settled', () => void (isBack = true))
    bus.publish('test.settled', Buffer.alloc(0))
    await until(async () => isBack)
    stop()
  }

  return {
    nats,
    async join(nodeId) {
      const bus = createNatsBus({ url: nats.url, name: nodeId }, { log })
      await until(async () => bus.isConnected)
      const exchange = createExchange({
        bus,
        node: { id: nodeId, epoch: 1 },
        secret: 'shared',
        clock: systemClock,
        log,
      })
      joined.push({ bus, exchange })
      return exchange
    },
    async settle() {
      for (const { bus } of joined) await settleOne(bus)
    },
    async remove() {
      for (const { bus, exchange } of joined) {
        exchange.close()
        await bus.close()
      }
      await nats.remove()
    },
  }
}
