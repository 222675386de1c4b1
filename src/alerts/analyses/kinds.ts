import { type AlertKind } from './alert-kind.ts'
import { filterSearch } from './filter-search.ts'
import { flowControl } from './flow-control.ts'
import { followTrack } from './follow-track.ts'
import { gridDensity } from './grid-density.ts'

/** All types of alerts, in the order in which they are listed. A new one is a file of its own and a line here. */
export const kinds = [gridDensity, flowControl, followTrack, filterSearch] as const satisfies readonly AlertKind[]

export type Kind = (typeof kinds)[number]
export type AlertType = Kind['setup']['shape']['type']['value']

const byType = new Map<AlertType, AlertKind>(kinds.map((kind) => [typeOf(kind), kind]))

export function typeOf(kind: Kind): AlertType {
  return kind.setup.shape.type.value
}

export const alertTypes = kinds.map(typeOf)

export function kindOf({ type }: { readonly type: AlertType }): AlertKind {
  return byType.get(type)!
}
