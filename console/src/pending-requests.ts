/** What was asked and has not been answered yet. */
const pending = new Set<Promise<unknown>>()

/** The same promise; until it settles, it counts as pending. */
export function trackRequest<Answer>(request: Promise<Answer>): Promise<Answer> {
  pending.add(request)
  const forget = () => void pending.delete(request)
  request.then(forget, forget)
  return request
}

/** Resolves when nothing is pending any more, at the latest after so long. */
export async function requestsSettled(maxMs: number): Promise<void> {
  let isLate = false
  const late = wait(maxMs).then(() => (isLate = true))
  // A page that goes at this moment sends its last requests first.
  await wait(0)
  while (pending.size > 0 && !isLate) {
    await Promise.race([late, Promise.allSettled(pending)])
    // What is answered may lead to the next question.
    await wait(0)
  }
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
