import { setTimeout as sleep } from 'node:timers/promises'
import { createHttpReceiver } from '../../support/http-receiver.ts'
import { type Fault, type Goals } from '../fault.ts'

/** Deliveries that failed wait for a third of the outage at most; what waited is sent before what is new. */
const deliveredAgain = (seconds: number): Goals => ({ webhook: 5_000 + (seconds * 1_000) / 3 })

const receiver = (
  name: string,
  seconds: number,
  rest: Partial<Fault>,
  answer?: Parameters<typeof createHttpReceiver>[0],
): Fault => ({
  name: `receiver ${name} for ${seconds} s`,
  goals: deliveredAgain(seconds),
  lasts: true,
  ...rest,
  async inject(load) {
    if (answer) {
      load.receiver.answerBy(answer)
      await sleep(seconds * 1_000)
      load.receiver.answerBy((_call, response) => void response.writeHead(204).end())
      return
    }
    const { port } = load.receiver
    await load.receiver.close()
    await sleep(seconds * 1_000)
    load.receiver = await createHttpReceiver(undefined, port)
  },
})

const broker = (seconds: number, rest: Partial<Fault> = {}): Fault => ({
  name: `broker killed for ${seconds} s`,
  goals: { MQTT: 15_000 },
  lasts: true,
  ...rest,
  async inject(load) {
    await load.broker.kill()
    await sleep(seconds * 1_000)
    await load.broker.start()
  },
})

export const receiverFaults: readonly Fault[] = [
  receiver('away', 5, { isShort: true }),
  receiver('away', 60, {}),
  receiver('answers 500', 20, {}, (_call, response) => void response.writeHead(500).end()),
  receiver('hangs', 30, {}, () => {}),
  receiver('resets', 20, {}, (_call, response) => void response.socket?.resetAndDestroy()),
  broker(60),
]
