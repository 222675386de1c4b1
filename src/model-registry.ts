import { EMBEDDED_PROVIDER, type InferenceProvider } from './core/inference-provider.ts'
import { listUserModels } from './pipeline/detect/user-models.ts'
import { type ModelCard } from './pipeline/detect/model-card.ts'
import { embeddedModels } from './pipeline/detect/model-catalog.ts'
import { type Log } from './observe/log.ts'
import { type ModelSummary } from './processes/models.ts'

export interface ModelOptions {
  readonly modelsDir: string | undefined
  /** The default one. */
  readonly model: string
  /** What computes the operator's models. */
  readonly provider: InferenceProvider
}

/** What can be started: our own models, and the operator's. What is wrong with one of these is logged. */
export async function listModels({ modelsDir, model, provider }: ModelOptions, log: Log): Promise<ModelSummary[]> {
  const userModels = await listUserModels(modelsDir)
  for (const { folder, sentence } of userModels.problems) log.warn({ folder }, sentence)
  const models = [
    ...embeddedModels.map((card) => toSummary(card, false, EMBEDDED_PROVIDER)),
    ...userModels.models.map((card) => toSummary(card, true, provider)),
  ]
  const names = models.map(({ name }) => name)
  if (!names.includes(model))
    throw new Error(`AERIE_MODEL: there is no model ${model}; choose one of ${names.join(', ')}.`)
  return models
}

function toSummary(model: ModelCard, isBrought: boolean, provider: InferenceProvider): ModelSummary {
  return {
    name: model.name,
    family: model.family.name,
    isBrought,
    provider,
    input: model.inputSize ?? null,
    licence: model.licence,
    attribution: model.attribution ?? null,
    description: model.description ?? null,
    classes: model.classes.flatMap((entry) => entry ?? []),
    accuracy: model.accuracy ?? null,
    speed: model.speed ?? null,
    status: model.status ?? null,
    useWhen: model.useWhen ?? null,
    suggestedTiles: model.suggestedTiles ?? '1x1',
  }
}
