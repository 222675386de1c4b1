import { type z } from 'zod'
import { type FilterSearch, type FlowControl, type FollowTrack, type GridDensity, type Setup } from './setup.schema.ts'

export type { FlowLine, Setup } from './setup.schema.ts'
export type GridDensitySetup = z.infer<typeof GridDensity>
export type FlowControlSetup = z.infer<typeof FlowControl>
export type FollowTrackSetup = z.infer<typeof FollowTrack>
export type FilterSearchSetup = z.infer<typeof FilterSearch>

export const alertTypes = ['grid-density', 'flow-control', 'follow-track', 'filter-search'] as const
export type AlertType = (typeof alertTypes)[number]

/** An analysis of what processes see, and who is told of it. */
export interface Alert {
  readonly id: string
  readonly accountId: string
  readonly alias: string
  readonly status: 'active' | 'inactive'
  /** With the passwords of outputs; masked wherever it is shown. */
  readonly setup: Setup
  /** Of a one-off alert, the process that it lives with; null for one that is registered for all. */
  readonly processId: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** Setups come out of one schema, which puts their fields in one order. */
export function isSameSetup(one: Setup, other: Setup): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Whether it needs places on Earth: without them it would never tell of anything. */
export function isGeographic(setup: Setup): boolean {
  if (setup.region?.type === 'geo_polygon') return true
  if (setup.type === 'grid-density') return setup.parameters.cell_meters !== undefined
  return setup.type === 'flow-control' && setup.parameters.lines.some((line) => line.geo_from !== undefined)
}
