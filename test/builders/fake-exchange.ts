import { type Question, type Topic } from '../../src/core/node-exchange.ts'
import { type Exchange } from '../../src/cluster/exchange.ts'
import { AppError } from '../../src/core/errors.ts'
import { type NodeId } from '../../src/core/node.ts'

/** Messages between nodes in memory, as JSON carries them; each of another shape than its topic's is a mistake. */
export interface FakeExchanges {
  of(nodeId: NodeId): Exchange
  /** All that was told so far. */
  readonly told: { readonly from: NodeId; readonly topic: string; readonly message: unknown }[]
  /** NATS is away: what is told meanwhile is lost, and nobody answers. */
  isAway: boolean
}

type Handler = (message: unknown, from: NodeId) => unknown

export function createFakeExchanges(): FakeExchanges {
  const listeners: { readonly nodeId: NodeId; readonly topic: string; readonly handle: Handler }[] = []
  const answerers = new Map<string, Handler>()
  const carried = <Message>({ shape }: Topic<Message>, message: Message) =>
    shape.parse(JSON.parse(JSON.stringify(message)))

  const exchanges: FakeExchanges = {
    told: [],
    isAway: false,
    of: (nodeId) => ({
      tell(topic, message) {
        if (exchanges.isAway) return
        exchanges.told.push({ from: nodeId, topic: topic.name, message: carried(topic, message) })
        for (const listener of listeners)
          if (listener.topic === topic.name && listener.nodeId !== nodeId)
            listener.handle(carried(topic, message), nodeId)
      },
      onTold: (topic, handle) => void listeners.push({ nodeId, topic: topic.name, handle: handle as Handler }),
      async ask<Asked, Answer>(to: NodeId, question: Question<Asked, Answer>, asked: Asked) {
        const answer = exchanges.isAway ? undefined : answerers.get(`${to} ${question.name}`)
        if (!answer) throw new AppError('node-unreachable', { node: to, retry_after_seconds: 2 })
        return question.answer.parse(await answer(carried(question, asked), nodeId))
      },
      onAsked: (question, answer) => void answerers.set(`${nodeId} ${question.name}`, answer as Handler),
      close: () => {},
    }),
  }
  return exchanges
}
