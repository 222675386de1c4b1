import { type Clock } from '../core/clock.ts'
import { type ProgressWriter, type ProgressWriterOptions } from '../core/delivery.ts'
import { createTurns } from '../core/turns.ts'

export function createProgressWriter<Progress>(
  { save, everyMs, awaitTurn, onError }: ProgressWriterOptions<Progress>,
  clock: Clock,
): ProgressWriter<Progress> {
  const turns = createTurns()
  let waiting = new Map<string, Progress>()
  /** What would wait again if its write failed: without what was written, or forgotten, since. */
  const underWay = new Set<Map<string, Progress>>()
  let timer: AbortController | undefined

  /** One after the other, so that the newest is written last. */
  const inTurn = (action: () => Promise<void>) => turns.take('progress', action)
  const write = (progress: ReadonlyMap<string, Progress>) => inTurn(() => save(progress))
  /** Resolves when nothing is being written of what was to be until now. */
  const whenWritten = () => inTurn(async () => {})

  function supersede(id: string): void {
    waiting.delete(id)
    for (const older of underWay) older.delete(id)
  }

  /** What fails waits on, unless something newer came meanwhile. */
  async function writeWaiting(): Promise<void> {
    if (waiting.size === 0) return
    const progress = waiting
    for (const id of progress.keys()) for (const older of underWay) older.delete(id)
    const retried = new Map(progress)
    underWay.add(retried)
    waiting = new Map()
    await write(progress).catch((error: unknown) => {
      onError(error)
      waiting = new Map([...retried, ...waiting])
    })
    underWay.delete(retried)
  }

  async function wait({ signal }: AbortController): Promise<void> {
    while (waiting.size > 0 && !signal.aborted) {
      await clock.sleep(everyMs, signal)
      if (!signal.aborted && awaitTurn) await awaitTurn(signal)
      if (!signal.aborted) await writeWaiting()
    }
    if (!signal.aborted) timer = undefined
  }

  function stopWaiting(): void {
    timer?.abort()
    timer = undefined
  }

  return {
    write(id, progress) {
      supersede(id)
      return write(new Map([[id, progress]]))
    },
    writeSoon(id, progress) {
      waiting.set(id, progress)
      if (timer) return
      timer = new AbortController()
      void wait(timer)
    },
    forget: supersede,
    async flush() {
      stopWaiting()
      // What is under way waits again if it fails, and there is no timer any more that would write it.
      await whenWritten()
      await writeWaiting()
      await whenWritten()
    },
    async discard() {
      stopWaiting()
      waiting.clear()
      for (const older of underWay) older.clear()
      await whenWritten()
    },
  }
}
