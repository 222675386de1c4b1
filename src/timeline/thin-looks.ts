import { type LookOfProcess } from './detection-reader.ts'

/** Of each process a look, and then the first that is so much later, for who draws a path; all where none is given. */
export async function* thinLooks(
  looks: AsyncIterable<readonly LookOfProcess[]>,
  everySeconds: number | undefined,
): AsyncGenerator<readonly LookOfProcess[], void> {
  const everyMs = (everySeconds ?? 0) * 1000
  const lastMs = new Map<string, number>()
  for await (const some of looks)
    yield some.filter(({ processId, look: { takenAtMs } }) => {
      // Looks come in the order of time.
      if (takenAtMs < (lastMs.get(processId) ?? -Infinity) + everyMs) return false
      lastMs.set(processId, takenAtMs)
      return true
    })
}
