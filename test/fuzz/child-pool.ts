import { createFuzzedChild, type FuzzedChild, type FuzzedChildOptions } from './fuzzed-child.ts'

/** As many workers of one kind as questions are asked at the same time. */
export interface ChildPool<Question extends object, Answer> {
  ask(question: Question): Promise<Answer>
  pids(): number[]
  close(): Promise<void>
}

export function createChildPool<Question extends object, Answer>(
  size: number,
  options: FuzzedChildOptions<Question, Answer>,
): ChildPool<Question, Answer> {
  const children = Array.from({ length: size }, () => createFuzzedChild(options))
  const idle: FuzzedChild<Question, Answer>[] = [...children]
  return {
    async ask(question) {
      const child = idle.pop()
      if (!child) throw new Error(`More than ${size} questions are asked at once.`)
      try {
        return await child.ask(question)
      } finally {
        idle.push(child)
      }
    },
    pids: () => children.flatMap(({ pid }) => pid ?? []),
    async close() {
      await Promise.all(children.map((child) => child.close()))
    },
  }
}
