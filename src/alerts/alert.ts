import { z } from 'zod'
import { type Kind, kindOf, kinds } from './analyses/kinds.ts'

/** What an alert of any type is set up with. */
export const Setup = z.discriminatedUnion('type', setupsOf(kinds))
export type Setup = z.infer<typeof Setup>

type SetupsOf<Kinds extends readonly Kind[]> = { [Index in keyof Kinds]: Kinds[Index]['setup'] }

// A map over a tuple forgets that it was one, and with that which schema stands where.
function setupsOf<Kinds extends readonly Kind[]>(all: Kinds): SetupsOf<Kinds> {
  return all.map(({ setup }) => setup) as SetupsOf<Kinds>
}

/** An analysis of what processes see, and the outputs that are notified of it. */
export interface Alert {
  readonly id: string
  readonly accountId: string
  readonly alias: string
  readonly status: 'active' | 'inactive'
  /** With the passwords of outputs; masked wherever it is shown. */
  readonly setup: Setup
  /** Of a one-off alert, the process that it lives with; null for one that is registered for all. */
  readonly processId: string | null
  /** The only sources whose processes it looks at; null for all. None when all were removed: then it looks at nothing. */
  readonly sourceIds: readonly string[] | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** Setups come out of one schema, which puts their fields in one order. */
export function isSameSetup(one: Setup, other: Setup): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Whether it needs places on Earth: without them it would never find anything. */
export function isGeographic(setup: Setup): boolean {
  return setup.region?.type === 'geo_polygon' || kindOf(setup).needsPlaces(setup)
}
