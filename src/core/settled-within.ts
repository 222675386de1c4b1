import { type Clock } from './clock.ts'

/** Whether the promise resolves within this time. What becomes of it later is not waited for. */
export async function isSettledWithin(
  promise: Promise<unknown>,
  ms: number,
  clock: Pick<Clock, 'sleep'>,
): Promise<boolean> {
  const settled = new AbortController()
  const late = clock.sleep(ms, settled.signal).then(() => false)
  return Promise.race([promise.then(() => true), late]).finally(() => settled.abort())
}
