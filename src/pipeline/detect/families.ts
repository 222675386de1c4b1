import { aerie } from './aerie-family.ts'
import { detr } from './detr.ts'
import { efficientdet } from './efficientdet.ts'
import { type FamilyName, type ModelFamily } from './model-family.ts'
import { yolov8 } from './yolov8.ts'
import { yolox } from './yolox.ts'

export const families: Readonly<Record<FamilyName, ModelFamily>> = { efficientdet, yolox, yolov8, detr, aerie }
