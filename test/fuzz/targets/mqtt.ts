import { systemClock } from '../../../src/core/clock.ts'
import { openBrokerSession } from '../../../src/delivery/broker-session.ts'
import { CONNECT_VARIANTS } from '../../../src/delivery/connect-variants.ts'
import { createBrokerBudget } from '../../../src/outbound/packet-guard.ts'
import { openMqttChannel } from '../../../src/telemetry/mqtt-channel.ts'
import { createTelemetryReader } from '../../../src/telemetry/telemetry-reader.ts'
import { createHostileBroker } from '../../support/hostile-broker.ts'
import { mqttPackets } from '../inputs/mqtt-packets.ts'
import { randomOf } from '../random.ts'
import { type FuzzTarget } from '../target.ts'

/** A broker that somebody named, for telemetry or for alerts: it greets as it should, says the input, and hangs up. */
export const mqtt: FuzzTarget = {
  name: 'mqtt',
  about: 'packets of a hostile broker to the clients of telemetry and of alerts, by TCP',
  counts: { short: 100, long: 10_000 },
  parallel: 4,
  open: () => ({
    create: mqttPackets,
    async feed(input) {
      const isForAlerts = randomOf(input).oneIn(3)
      const broker = await createHostileBroker(input, { hangsUp: true, after: isForAlerts ? 'connect' : 'subscribe' })
      try {
        const sentence = await (isForAlerts ? publishTo(broker.port, input) : listenTo(broker.port))
        if (!/^The(re is no connection to the)? broker .*\.$/s.test(sentence)) throw new Error(sentence)
      } finally {
        await broker.close()
      }
    },
  }),
}

/** Until the broker is gone, which is said in a sentence. */
async function listenTo(port: number): Promise<string> {
  const reader = createTelemetryReader({ format: 'native', parameters: {}, geoidHeightM: () => 0 })
  let channel!: ReturnType<typeof openMqttChannel>
  const sentence = await new Promise<string>((end) => {
    channel = openMqttChannel({
      parameters: { ip: '127.0.0.1', port, topic: 'drone/+' },
      dial: async (host) => host,
      onMessage: (payload, topic) => void reader.read(payload, systemClock.now(), topic),
      onState: (state) => void (state !== null && end(state)),
      clock: systemClock,
    })
  })
  await channel.close()
  return sentence
}

function publishTo(port: number, input: Buffer): Promise<string> {
  return new Promise((end) => {
    const { client } = openBrokerSession({
      broker: { host: '127.0.0.1', port, tls: false },
      address: '127.0.0.1',
      variant: CONNECT_VARIANTS[input.length % CONNECT_VARIANTS.length]!,
      availabilityTopic: 'availability',
      budget: createBrokerBudget(systemClock),
      onConnected: () => void client.publish('yard', '{}', { qos: 2 }, () => {}),
      onAccepted: () => {},
      onEnded: end,
    })
  })
}
