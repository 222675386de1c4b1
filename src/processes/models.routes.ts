import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { INFERENCE_PROVIDERS } from '../core/inference-provider.ts'
import { ModelSpeed, type ModelSpeeds } from './model-speeds.ts'
import { type ModelSummary } from './models.ts'

export interface ModelRouteDeps {
  readonly models: readonly ModelSummary[]
  readonly defaultModel: string
  readonly speeds: Pick<ModelSpeeds, 'find'>
}

const share = z.number().min(0).max(1)
const ModelRecord = z.object({
  name: z.string(),
  is_default: z.boolean(),
  is_brought: z.boolean().describe('False for the models that come with the service.'),
  status: z
    .enum(['stable', 'beta', 'experimental'])
    .nullable()
    .describe('How far it can be trusted; null for models that users bring.'),
  use_when: z.string().nullable().describe('For what it is the right choice.'),
  suggested_tiles: z
    .enum(['auto', '1x1'])
    .describe(
      'What suits it as `tiles` of `/start`, which takes it when they are left out: `auto` where its objects are usually small.',
    ),
  family: z.string(),
  input: z
    .object({ width: z.number().int(), height: z.number().int() })
    .nullable()
    .describe('Null when only the model’s file says it.'),
  licence: z.string(),
  attribution: z.string().nullable(),
  description: z.string().nullable(),
  accuracy: z
    .object({
      published_coco_map: z.number().nullable().describe('Percent, as its authors published it.'),
      people: z
        .object({ average_precision: share, recall_at_30: share, precision_at_30: share })
        .nullable()
        .describe('Measured on PETS 2009 S2.L1 at an overlap of 0.5.'),
      measured: z
        .array(z.object({ on: z.string(), average_precision: z.record(z.string(), share) }))
        .describe('Average precision by class at an overlap of 0.5, on pictures that it was not trained on.'),
    })
    .nullable()
    .describe('Null for models that users bring.'),
  reference_speed: z
    .object({ one_thread_ms: z.number(), two_threads_ms: z.number() })
    .nullable()
    .describe(
      'For one look on two idle cores of a Neoverse-N1, so that models can be compared before they are used; null for models that users bring.',
    ),
  computed_by: z
    .enum(INFERENCE_PROVIDERS)
    .describe('The CPU, or the accelerator of `AERIE_INFERENCE`, which only models that users bring can use.'),
  speed: ModelSpeed.nullable().describe('Measured on this machine when it was last used; null before that.'),
  classes: z.array(z.object({ class_id: z.number().int(), class_name: z.string() })),
})

/** `/models`: what can be detected, how well, and how fast on this machine. */
export function modelRoutes({ models, defaultModel, speeds }: ModelRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/models',
      { schema: { tags: ['Processes'], summary: 'List the models', response: { 200: z.array(ModelRecord) } } },
      async () =>
        models.map((model) => ({
          name: model.name,
          is_default: model.name === defaultModel,
          is_brought: model.isBrought,
          status: model.status,
          use_when: model.useWhen,
          suggested_tiles: model.suggestedTiles,
          family: model.family,
          input: model.input,
          licence: model.licence,
          attribution: model.attribution,
          description: model.description,
          accuracy: model.accuracy && {
            published_coco_map: model.accuracy.publishedCocoMap,
            people: model.accuracy.people && {
              average_precision: model.accuracy.people.averagePrecision,
              recall_at_30: model.accuracy.people.recallAt30,
              precision_at_30: model.accuracy.people.precisionAt30,
            },
            measured: model.accuracy.measured.map(({ on, byClass }) => ({ on, average_precision: byClass })),
          },
          reference_speed: model.speed && {
            one_thread_ms: model.speed.oneThreadMs,
            two_threads_ms: model.speed.twoThreadsMs,
          },
          computed_by: model.provider,
          speed: speeds.find(model.name) ?? null,
          classes: model.classes.map(({ id, name }) => ({ class_id: id, class_name: name })),
        })),
    )
  }
}
