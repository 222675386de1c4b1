import { type NodeExchange } from '../../src/core/node-exchange.ts'
import { AppError } from '../../src/core/errors.ts'

/** Nodes that talk to each other in memory, in the shapes that they say. */
export interface FakeExchanges {
  of(nodeId: string): NodeExchange
  /** Answers nothing and hears nothing from now on. */
  cutOff(nodeId: string): void
  /** Does not even refuse. */
  freeze(nodeId: string): void
  connect(nodeId: string): void
  /** Topics of what was told and asked, in order. */
  readonly said: string[]
}

type Handler = (message: unknown, from: string) => unknown

export function createFakeExchanges(): FakeExchanges {
  const told = new Map<string, Handler>()
  const asked = new Map<string, Handler>()
  const trouble = new Map<string, 'cut-off' | 'frozen'>()
  const said: string[] = []
  const unreachable = (node: string) => new AppError('node-unreachable', { node, retry_after_seconds: 2 })
  const copy = (message: unknown): unknown => JSON.parse(JSON.stringify(message))

  return {
    said,
    cutOff: (nodeId) => void trouble.set(nodeId, 'cut-off'),
    freeze: (nodeId) => void trouble.set(nodeId, 'frozen'),
    connect: (nodeId) => void trouble.delete(nodeId),
    of: (nodeId) => ({
      tell({ name }, message) {
        said.push(name)
        if (trouble.has(nodeId)) return
        for (const [key, handle] of told) {
          const [to, topic] = key.split(' ')
          if (topic === name && to !== nodeId && !trouble.has(to!)) handle(copy(message), nodeId)
        }
      },
      onTold: ({ name, shape }, handle) =>
        void told.set(`${nodeId} ${name}`, (message, from) => handle(shape.parse(message), from)),
      async ask(to, { name, answer }, message) {
        said.push(name)
        if (trouble.get(to) === 'frozen') await new Promise(() => {})
        const handle = asked.get(`${to} ${name}`)
        if (trouble.has(to) || trouble.has(nodeId) || !handle) throw unreachable(to)
        try {
          return answer.parse(copy(await handle(copy(message), nodeId)))
        } catch (error) {
          throw new AppError('node-unreachable', { node: to, retry_after_seconds: 2 }, { cause: error })
        }
      },
      onAsked: ({ name, shape }, answer) =>
        void asked.set(`${nodeId} ${name}`, (message, from) => answer(shape.parse(message), from)),
    }),
  }
}
