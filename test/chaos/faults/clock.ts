import { type Fault } from '../fault.ts'

const HOUR_MS = 3_600_000

/** Nobody is to notice: what counts time goes by a clock that nobody sets. */
const set = (name: string, offsetMs: number): Fault => ({
  name: `clock set ${name}`,
  goals: {},
  inject: async (load) => load.setClock(offsetMs),
})

export const clockFaults: readonly Fault[] = [
  set('back by an hour', -HOUR_MS),
  set('right again', 0),
  set('forward by ten minutes', HOUR_MS / 6),
  set('right once more', 0),
]
