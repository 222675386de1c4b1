import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { joinParts } from './parts.ts'

/**
 * Ends this process when an input never lets its thread go: nothing else in that thread could notice. The inputs under way are kept
 * like those that fail.
 */
export interface Watchdog {
  begin(input: Buffer): void
  end(input: Buffer): void
  close(): void
}

/** Of the inputs under way; what is beyond is cut off. */
const MAX_BYTES = 4 * 2 ** 20
const MAX_STANDSTILL_MS = 90_000

export function startWatchdog(name: string, foundFolder = join(import.meta.dirname, 'found')): Watchdog {
  /** A number that changes whenever one begins or ends; how many are under way; and how many bytes they have. */
  const state = new Int32Array(new SharedArrayBuffer(12))
  const bytes = new Uint8Array(new SharedArrayBuffer(MAX_BYTES))
  const workerData = { state, bytes, name, folder: join(foundFolder, name), maxStandstillMs: MAX_STANDSTILL_MS }
  const worker = new Worker(new URL('./watchdog-thread.js', import.meta.url), { workerData })
  worker.unref()
  const underWay = new Set<Buffer>()

  return {
    begin(input) {
      underWay.add(input)
      const joined = joinParts([...underWay]).subarray(0, MAX_BYTES)
      bytes.set(joined)
      state[1] = underWay.size
      state[2] = joined.length
      Atomics.add(state, 0, 1)
    },
    end(input) {
      underWay.delete(input)
      state[1] = underWay.size
      Atomics.add(state, 0, 1)
    },
    close: () => void worker.terminate(),
  }
}
