import { type Exchange } from '../../src/cluster/exchange.ts'
import { AppError } from '../../src/core/errors.ts'
import { type NodeId } from '../../src/core/node.ts'
import { type RequestTopic, type Topic } from '../../src/core/node-exchange.ts'

/** Messages between nodes in memory, as JSON carries them; one that does not fit the schema of its topic is a mistake. */
export interface FakeExchanges {
  of(nodeId: NodeId): Exchange
  /** From now on nothing comes from there, and nothing gets there. */
  cutOff(nodeId: NodeId): void
  /** It takes requests and never responds. */
  freeze(nodeId: NodeId): void
  connect(nodeId: NodeId): void
  /** NATS is away: what is published meanwhile is lost, and nobody responds. */
  isAway: boolean
  /** All that was published and requested, in order. */
  readonly sent: { readonly from: NodeId; readonly topic: string; readonly message: unknown }[]
}

type Handler = (message: unknown, from: NodeId) => unknown

export function createFakeExchanges(): FakeExchanges {
  const listeners: {
    readonly nodeId: NodeId
    readonly topic: string
    readonly listener: Handler
    readonly onLoss: () => void
  }[] = []
  let isAway = false
  const handlers = new Map<string, Handler>()
  const troubles = new Map<NodeId, 'cut-off' | 'frozen'>()
  const carried = <Message>({ schema }: Pick<Topic<Message>, 'schema'>, message: Message) =>
    schema.parse(JSON.parse(JSON.stringify(message)))
  const isReached = (nodeId: NodeId) => !exchanges.isAway && !troubles.has(nodeId)

  const exchanges: FakeExchanges = {
    cutOff: (nodeId) => void troubles.set(nodeId, 'cut-off'),
    freeze: (nodeId) => void troubles.set(nodeId, 'frozen'),
    connect: (nodeId) => void troubles.delete(nodeId),
    get isAway() {
      return isAway
    },
    set isAway(isNow) {
      const isBack = isAway && !isNow
      isAway = isNow
      if (isBack) for (const { onLoss } of listeners) onLoss()
    },
    sent: [],
    of: (nodeId) => ({
      publish(topic, message) {
        if (!isReached(nodeId)) return
        exchanges.sent.push({ from: nodeId, topic: topic.name, message: carried(topic, message) })
        for (const { nodeId: to, topic: name, listener } of listeners)
          if (name === topic.name && to !== nodeId && isReached(to)) listener(carried(topic, message), nodeId)
      },
      subscribe: (topic, listener, onLoss = () => {}) =>
        void listeners.push({ nodeId, topic: topic.name, listener: listener as Handler, onLoss }),
      async request<Request, Response>(to: NodeId, topic: RequestTopic<Request, Response>, request: Request) {
        if (isReached(nodeId)) exchanges.sent.push({ from: nodeId, topic: topic.name, message: request })
        if (troubles.get(to) === 'frozen') await new Promise(() => {})
        const handler = handlers.get(`${to} ${topic.name}`)
        if (!isReached(nodeId) || !isReached(to) || !handler) throw unreachable(to)
        try {
          const response = (await handler(carried(topic, request), nodeId)) as Response
          return carried({ schema: topic.responseSchema }, response)
        } catch (error) {
          throw unreachable(to, error)
        }
      },
      handle: (topic, handler) => void handlers.set(`${nodeId} ${topic.name}`, handler as Handler),
      close: () => {},
    }),
  }
  return exchanges
}

function unreachable(node: NodeId, cause?: unknown): AppError {
  return new AppError('node-unreachable', { node, retry_after_seconds: 2 }, { cause })
}
