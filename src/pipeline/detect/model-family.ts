import { type Detection } from '../../core/detection.ts'
import { type Letterbox } from './letterbox.ts'

/** One of the things that a model can tell apart. */
export interface ModelClass {
  /** As it is told to users; need not be the place in the model's output. */
  readonly id: number
  readonly name: string
}

/** Families differ in what they want on the canvas and in how their outputs are to be read. */
export type FamilyName = 'efficientdet' | 'yolox' | 'yolov8' | 'detr' | 'aerie'

export interface ModelFamily {
  readonly name: FamilyName
  /** What the model takes: `rgb-bytes` is the canvas as it is, uint8 [1, height, width, 3]. */
  readonly input: 'rgb-bytes'
  /** The value, in all three channels, of the canvas beside the picture. */
  readonly padding: number
  createDecoder(options: DecoderOptions): Decoder
}

export interface DecoderOptions {
  /** In the order of the model's outputs; `undefined` is an output that means nothing. */
  readonly classes: readonly (ModelClass | undefined)[]
  /** 0…1: what is less certain is left out. */
  readonly confidence: number
  /** Names of the only classes that are wanted; all when left out. */
  readonly wanted?: readonly string[]
  readonly canvas: { readonly width: number; readonly height: number }
}

/** Turns one run's outputs into detections. Keeps scratch memory, so it serves one run at a time. */
export type Decoder = (outputs: ModelOutputs, letterbox: Letterbox) => Detection[]

/** Tensors by name, without their shapes. Valid until the next run. */
export type ModelOutputs = Readonly<Record<string, Float32Array | Int32Array>>
