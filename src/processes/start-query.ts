import { z } from 'zod'
import { type Account, isMaster } from '../core/account.ts'
import { type AppError } from '../core/errors.ts'
import { inputInvalid } from '../core/refusals.ts'
import { queryFlag, queryNumber } from '../core/request-fields.ts'
import { type ModelSummary } from './models.ts'
import { priorities, type ProcessOptions } from './process.ts'

/** How a process is to be, as the caller of `/start` writes it. */
export const StartQuery = z.object({
  source_uuid: z.uuid(),
  model: z.string().max(100).optional().describe('One of `GET /models`; the service’s default when left out.'),
  confidence: queryNumber(z.coerce.number().min(0).max(100))
    .optional()
    .describe(
      'Percent: only what is at least this certain is told. When left out, a track begins at 30 and is followed down to 10.',
    ),
  classes: z.string().max(2000).optional().describe('Comma-separated names of the only classes that are wanted.'),
  tracking: queryFlag.optional().describe('Default true. Without it every `track_id` is 0.'),
  tiles: z
    .string()
    .regex(/^(auto|[1-4]x[1-4])$/, 'Choose auto, or columns and rows from 1 to 4, as in 2x2.')
    .optional()
    .describe(
      'When left out, what suits the model: `suggested_tiles` of `GET /models`. Cuts the picture into columns × rows that are looked at one by one, for small objects; takes as much longer. ' +
        '`auto` chooses them so that things have the size that the model was trained on, by height, pitch and field of view from telemetry and within the CPU that there is; the process info says what was chosen, and what was assumed.',
    ),
  pace: z
    .enum(['realtime', 'fast'])
    .default('realtime')
    .describe('For files: as long as the video lasts, or as fast as the machine can.'),
  when: z
    .enum(['now', 'live'])
    .default('now')
    .describe(
      '`live` answers at once, also while the source sends nothing: the process is `waiting`, costs no minutes, and begins by itself when video comes.',
    ),
  priority: z
    .enum(priorities)
    .default('normal')
    .describe(
      'Who goes first where the machine cannot look at every picture of every stream: `high` gets four times as much of the model as `normal`, `low` a quarter. `high` is for master keys.',
    ),
  again: queryFlag
    .optional()
    .describe(
      'With `when=live`: when the video has been gone for a minute, the process waits for the next, instead of reconnecting or failing.',
    ),
  labels: z
    .string()
    .max(2000)
    .optional()
    .describe(
      'Comma-separated, of a service of several nodes: the process runs only on nodes that have all of them in AERIE_NODE_LABELS, also when it goes on elsewhere. `GET /nodes` lists what there is.',
    ),
})
export type StartQuery = z.infer<typeof StartQuery>

/** The query as options; throws when it names a model or classes that there are not, or wants more than its account may. */
export function toProcessOptions(
  query: StartQuery,
  account: Pick<Account, 'masterId'>,
  models: readonly ModelSummary[],
  defaultModel: string,
): ProcessOptions {
  if (query.again && query.when !== 'live')
    throw invalid('again', 'Only a process that waits for its video begins again: add when=live.')
  if (query.priority === 'high' && !isMaster(account))
    throw invalid('priority', 'Only a master key may put a process before those of others: choose low or normal.')
  const name = query.model ?? defaultModel
  const model = models.find((candidate) => candidate.name === name)
  if (!model) throw invalid('model', `Choose one of ${models.map((one) => one.name).join(', ')}.`)
  const classes = wordsOf(query.classes)
  const known = model.classes.map((one) => one.name)
  const unknown = classes.filter((text) => !known.includes(text))
  if (unknown.length > 0)
    throw invalid('classes', `The model ${name} does not know ${unknown.join(', ')}; GET /models lists its classes.`)
  return {
    model: name,
    confidence: query.confidence === undefined ? null : query.confidence / 100,
    classes: classes.length > 0 ? classes : null,
    isTracking: query.tracking ?? true,
    tiles: query.tiles ?? model.suggestedTiles,
    pace: query.pace,
    begins: query.when === 'now' ? 'now' : query.again ? 'each-time-live' : 'when-live',
    priority: query.priority,
    labels: wordsOf(query.labels),
  }
}

/** Of a comma-separated list. */
export function wordsOf(text = ''): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
}

function invalid(parameter: keyof StartQuery, message: string): AppError {
  return inputInvalid([{ path: `query.${parameter}`, message }])
}
