/** Questions to another process that are not answered yet, each with its time. */
export interface Questions<T> {
  /** Resolves with the answer, or with `otherwise` when none comes in time. */
  ask(send: (id: number) => void): Promise<T>
  answer(id: number, answer: T): void
}

export function createQuestions<T>(timeoutMs: number, otherwise: T): Questions<T> {
  const waiting = new Map<number, (answer: T) => void>()
  let lastId = 0

  return {
    async ask(send) {
      const id = ++lastId
      let timer: NodeJS.Timeout | undefined
      const answer = await new Promise<T>((resolve) => {
        timer = setTimeout(() => resolve(otherwise), timeoutMs)
        waiting.set(id, resolve)
        send(id)
      })
      clearTimeout(timer)
      waiting.delete(id)
      return answer
    },
    answer: (id, answer) => waiting.get(id)?.(answer),
  }
}
