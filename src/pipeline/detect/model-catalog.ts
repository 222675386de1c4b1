import { cocoModels } from './coco-models.ts'
import { type EmbeddedModel } from './model-card.ts'
import { trainedModels } from './trained-models.ts'

/** The models that come with the service. */
export const embeddedModels: readonly EmbeddedModel[] = [...cocoModels, ...trainedModels]

export function findEmbeddedModel(name: string): EmbeddedModel {
  const found = embeddedModels.find((model) => model.name === name)
  if (found) return found
  const known = embeddedModels.map((model) => model.name).join(', ')
  throw new Error(`There is no model "${name}"; choose one of: ${known}.`)
}
