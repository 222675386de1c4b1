import { aerie } from './aerie.ts'
import { detr } from './detr.ts'
import { efficientdet } from './efficientdet.ts'
import { type ModelFamily } from './model-family.ts'
import { yolov8 } from './yolov8.ts'
import { yolox } from './yolox.ts'

/** Names, and what `model.json` may say, derive from this list. */
const families = [efficientdet, yolox, yolov8, detr, aerie] as const satisfies readonly ModelFamily[]

type FamilyName = (typeof families)[number]['name']

export const familyNames: readonly FamilyName[] = families.map(({ name }) => name)

const byName = new Map<FamilyName, ModelFamily>(families.map((family) => [family.name, family]))

export function familyNamed(name: FamilyName): ModelFamily {
  return byName.get(name)!
}
