import { type Setup } from '../alert.ts'
import { type Analysis } from './analysis.ts'
import { createFilterSearch, type FilterSearchDeps } from './filter-search.ts'
import { createFlowControl } from './flow-control.ts'
import { createFollowTrack } from './follow-track.ts'
import { createGridDensity } from './grid-density.ts'

/** What an alert of any type does with scenes. */
export function createAnalysis(setup: Setup, deps: FilterSearchDeps): Analysis {
  switch (setup.type) {
    case 'grid-density':
      return createGridDensity(setup)
    case 'flow-control':
      return createFlowControl(setup)
    case 'follow-track':
      return createFollowTrack(setup)
    case 'filter-search':
      return createFilterSearch(setup, deps)
  }
}
