import { setImmediate as nextTurn } from 'node:timers/promises'
import { keepFoundCase } from './found-cases.ts'
import { type Memory, measureMemory } from './memory.ts'
import { createRandom } from './random.ts'
import { type FuzzTarget, type OpenTarget } from './target.ts'
import { startWatchdog, type Watchdog } from './watchdog.ts'
import { within } from './within.ts'

export interface RunOptions {
  /** Of the first input; each further one has the next. */
  readonly seed: number
  /** How many inputs; or for how many seconds. */
  readonly limit: { readonly count: number } | { readonly seconds: number }
  /** Where failing inputs are kept. */
  readonly foundFolder?: string
}

export interface FuzzResult {
  readonly inputs: number
  readonly seconds: number
  readonly before: Memory
  readonly after: Memory
}

/** An input of kilobytes must be dealt with long before. */
const MAX_FEED_MS = 60_000
/** What may be left in memory after any number of inputs. */
const MAX_GROWTH_BYTES = 64 * 2 ** 20
/** What is made once, compiled code and pools, is there after this share of the run. */
const WARM_UP = 0.1
/** So that timers, sockets and the test runner have their turn among inputs that wait for nothing. */
const INPUTS_PER_TURN = 64

/** Feeds a target. Rejects at the first input that makes it fail, with where that input is kept and how to repeat it. */
export async function runTarget(target: FuzzTarget, { seed, limit, foundFolder }: RunOptions): Promise<FuzzResult> {
  const uncaught = catchUncaught()
  const watchdog = startWatchdog(target.name, foundFolder)
  const open = await target.open()
  const feeder = createFeeder(target, open, { seed, foundFolder, uncaught, watchdog })
  const openedAt = performance.now()
  const isReached = (share: number) =>
    'count' in limit
      ? feeder.inputs >= share * limit.count
      : feeder.inputs > 0 && performance.now() - openedAt >= share * 1000 * limit.seconds
  try {
    if (!open.create(createRandom(seed)).equals(open.create(createRandom(seed))))
      throw new Error(`${target.name}: a seed does not bring its input back.`)
    await feeder.feedUntil(() => isReached(WARM_UP))
    const before = await settledMemory(open)
    await feeder.feedUntil(() => isReached(1))
    const after = await settledMemory(open)
    feeder.checkUncaught()
    checkGrowth(target.name, before, after, seed)
    return { inputs: feeder.inputs, seconds: (performance.now() - openedAt) / 1000, before, after }
  } finally {
    watchdog.close()
    await open.close?.()
    uncaught.stop()
  }
}

interface FeederOptions extends Pick<RunOptions, 'seed' | 'foundFolder'> {
  readonly uncaught: { readonly errors: readonly unknown[] }
  readonly watchdog: Watchdog
}

function createFeeder({ name, parallel = 1 }: FuzzTarget, open: OpenTarget, options: FeederOptions) {
  const { seed, foundFolder, uncaught, watchdog } = options
  let inputs = 0
  let hasFailed = false

  async function feedNext(): Promise<void> {
    const inputSeed = seed + inputs++
    const input = open.create(createRandom(inputSeed))
    watchdog.begin(input)
    try {
      const feeding = open.feed(input)
      if (feeding) await within(MAX_FEED_MS, feeding, 'It did not end.')
      // What nobody caught is taken for the doing of the input that was fed last.
      if (uncaught.errors.length > 0) throw uncaught.errors[0]
    } catch (error) {
      hasFailed = true
      const file = keepFoundCase(name, input, foundFolder)
      const repeat = `npm run fuzz ${name} -- --seed ${inputSeed} --count 1`
      throw new Error(`${name}: an input makes it fail; it is kept in ${file}, and \`${repeat}\` makes it again.`, {
        cause: error,
      })
    } finally {
      watchdog.end(input)
    }
  }

  async function feedInTurn(isOver: () => boolean): Promise<void> {
    while (!isOver() && !hasFailed) {
      await feedNext()
      if (inputs % INPUTS_PER_TURN === 0) await nextTurn()
    }
  }

  return {
    get inputs() {
      return inputs
    },
    /** What the last inputs left behind may fail after they were dealt with. */
    checkUncaught(): void {
      if (uncaught.errors.length === 0) return
      throw new Error(`${name}: one of the last inputs before seed ${seed + inputs} makes it fail.`, {
        cause: uncaught.errors[0],
      })
    },
    /** Resolves when those under way are done with. */
    async feedUntil(isOver: () => boolean): Promise<void> {
      const turns = await Promise.allSettled(Array.from({ length: parallel }, () => feedInTurn(isOver)))
      for (const turn of turns) if (turn.status === 'rejected') throw turn.reason
    },
  }
}

async function settledMemory(open: OpenTarget): Promise<Memory> {
  await open.settle?.()
  return measureMemory(open.pids?.())
}

function checkGrowth(name: string, before: Memory, after: Memory, seed: number): void {
  const growth = after.heldBytes - before.heldBytes
  if (growth > MAX_GROWTH_BYTES)
    throw new Error(`${name}: ${Math.round(growth / 2 ** 20)} MB of memory were kept, from seed ${seed} on.`)
}

/** What nobody caught would end the service. */
function catchUncaught() {
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  process.on('uncaughtException', onError)
  process.on('unhandledRejection', onError)
  return {
    errors,
    stop() {
      process.off('uncaughtException', onError)
      process.off('unhandledRejection', onError)
    },
  }
}
