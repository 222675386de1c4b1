import { test } from 'vitest'
import { runTarget } from './run-target.ts'
import { fuzzTargets } from './targets.ts'

/** Fixed, so that a failure comes again; `npm run fuzz` takes others, and far more inputs. */
const SEED = 1

test.each(fuzzTargets)(
  'what strangers might send neither breaks $name nor makes it hang or grow',
  { timeout: 180_000 },
  async (target) => {
    await runTarget(target, { seed: SEED, limit: { count: target.counts.short } })
  },
)
