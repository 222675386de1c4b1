import { z } from 'zod'
import { Filter } from '../filter.schema.ts'
import { Outputs } from '../output.schema.ts'
import { Region } from '../region.schema.ts'
import { type Analysis, type AnalysisDeps } from './analysis.ts'

/** Where the alerts of examples go. */
export const exampleOutput = {
  type: 'mqtt' as const,
  config: { host: 'broker.example.org:1883', topic: 'site/alerts' },
}

/**
 * Everything about one type of alert. `kinds.ts` lists them; requests, answers, notifications, descriptions and the
 * documents of the API derive from that list.
 */
export interface AlertKind<Schema extends SetupSchema = SetupSchema> {
  /** What an alert of this type is set up with: validation, documentation and `/alert_description` at once. */
  readonly setup: Schema
  /** The `data` of each event. */
  readonly events: Readonly<Record<string, z.ZodObject>>
  /** In a few words, for the list of messages. */
  readonly summary: string
  readonly description: string
  /** A body for `POST /alert`. */
  readonly example: Partial<z.input<Schema>> & { readonly alias: string }
  /** Whether it needs places on Earth, apart from its region. */
  needsPlaces(setup: z.infer<Schema>): boolean
  /** Whether it needs tracks that keep their identity from frame to frame. */
  readonly needsTracking: boolean
  /** Whether it asks for pictures of tracks. */
  needsPictures(setup: z.infer<Schema>): boolean
  create(setup: z.infer<Schema>, deps: AnalysisDeps): Analysis
}

export type SetupSchema<
  Type extends string = string,
  Trigger extends z.ZodType = z.ZodType,
  Parameters extends z.ZodType = z.ZodType,
> = ReturnType<typeof setupSchema<Type, Trigger, Parameters>>

/** The setup of a type: its own trigger and parameters, with what all types have. */
export function setupSchema<Type extends string, Trigger extends z.ZodType, Parameters extends z.ZodType>(
  type: Type,
  { trigger, parameters }: { readonly trigger: Trigger; readonly parameters: Parameters },
) {
  return z.strictObject({
    type: z.literal(type),
    trigger,
    parameters,
    region: Region,
    filter: Filter,
    output: Outputs,
  })
}
