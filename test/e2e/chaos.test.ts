/** The short form of `npm run chaos`: the worst faults, one after the other, on one service under load. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { atMostMs, breakAndWatch } from '../chaos/experiment.ts'
import { faults } from '../chaos/faults/all.ts'
import { type Load, startLoad } from '../chaos/load.ts'

/** Goals are for a machine that does nothing else; how fast it is, is for the long form to say. */
const PATIENCE = 4
/** What a fault does not concern may stand still for a moment on a machine that starts something again. */
const MAX_NOTICED_MS = 10_000
/** Until all is even, it is over, all is back and everything has arrived. */
const MAX_FAULT_MS = 300_000

let load: Load
beforeAll(async () => void (load = await startLoad()))
afterAll(() => load.close())

test.each(faults.filter(({ isShort }) => isShort))(
  '$name: all is back by itself, and nothing is lost',
  async (fault) => {
    const { recovered, noticed, losses } = await breakAndWatch(load, fault)
    const late = [...recovered].filter(([, recovery]) => atMostMs(recovery) > PATIENCE * recovery.goalMs)
    expect(late).toEqual([])
    expect([...noticed].filter(([, gapMs]) => gapMs > MAX_NOTICED_MS)).toEqual([])
    expect(losses).toEqual([])
  },
  MAX_FAULT_MS,
)
