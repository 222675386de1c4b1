import { type GridDensitySetup } from '../alert.ts'
import { type Analysis, type EndReason, type Happening, nothing } from './analysis.ts'
import { createMatcher } from './filter.ts'
import { createGroundGrid, createRasterGrid } from './grid.ts'
import { createHold } from './hold.ts'
import { createSceneTime } from './scene-time.ts'
import { seenIn } from './seen-track.ts'

/** Tells when too many are in one cell of a grid, and when they no longer are. */
export function createGridDensity({ trigger, region, filter, parameters }: GridDensitySetup): Analysis {
  const { rows = 4, columns = 4, cell_meters: cellMetres } = parameters
  const grid = cellMetres === undefined ? createRasterGrid(rows, columns, region) : createGroundGrid(cellMetres)
  const counts = createMatcher({ filter, region })
  const timeOf = createSceneTime()
  const hold = createHold(trigger.for_seconds * 1000)
  let total = 0

  const tell = (event: 'started' | 'ended', reason?: EndReason): Happening => ({
    event,
    data: {
      total_count: total,
      highest_count: grid.highest,
      ...grid.toFields(),
      ...(event === 'ended' && { reason: reason ?? 'below-min-count' }),
    },
  })

  return {
    update(scene) {
      grid.clear()
      total = 0
      for (const seen of seenIn(scene)) {
        if (!counts(seen)) continue
        grid.add(seen)
        total += 1
      }
      const change = hold.update(grid.highest >= trigger.min_count, timeOf(scene.takenAtMs))
      return change ? [tell(change)] : nothing
    },
    get unfinished() {
      return hold.isOn ? 1 : 0
    },
    end: (reason) => (hold.isOn ? [tell('ended', reason)] : nothing),
  }
}
