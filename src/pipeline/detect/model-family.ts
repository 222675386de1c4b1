import { type Detection, type Size } from '../../core/detection.ts'
import { type Fit, type Letterbox } from './letterbox.ts'
import { type TensorInfo } from './onnx-thread.ts'

/** One of the things that a model distinguishes. */
export interface ModelClass {
  /** As users see it; need not be the place in the model's output. */
  readonly id: number
  readonly name: string
}

/**
 * What a model wants to be shown. Whether it takes bytes or floats, and planes or pixels, is read from its graph; a
 * model that takes bytes gets them as they are.
 */
export interface PictureFormat {
  readonly fit: Fit
  /** The value, in all three channels, of the canvas beside the picture. */
  readonly padding: number
  readonly order: 'rgb' | 'bgr'
  /** What a byte of 255 becomes, before the mean is taken off and the rest divided by the deviation. */
  readonly range: number
  readonly mean: Channels
  readonly deviation: Channels
}

/** One number for each channel, in the model's order. */
export type Channels = readonly [number, number, number]

/** Families differ in what they want on the canvas and in how their outputs are to be read; `families.ts` lists them. */
export interface ModelFamily {
  /** As `model.json` has it. */
  readonly name: string
  /** What its authors feed it; a model of its own may want something else. */
  readonly picture: PictureFormat
  /** Boxes of one object that overlap by more than this are one; null when the model sees to that itself. */
  readonly maxOverlap: number | null
  /**
   * Which of a graph's outputs are read, by their role. `named` is what the model's description says of them. Throws
   * half a sentence when one is missing.
   */
  chooseOutputs(available: readonly TensorInfo[], named: Readonly<Record<string, string>>): OutputNames
  /** Throws half a sentence when the outputs do not fit the family or the classes. */
  createDecoder(options: DecoderOptions): Decoder
}

/** Names of outputs by role. */
export type OutputNames = Readonly<Record<string, string>>

export interface DecoderOptions {
  /** By role. */
  readonly outputs: Readonly<Record<string, OutputShape>>
  /** In the order of the model's outputs; `undefined` is an output that means nothing. */
  readonly classes: ModelClasses
  /** False when the model may have more outputs than there are classes. */
  readonly areAllClasses: boolean
  /** 0…1: what is less certain is left out. */
  readonly confidence: number
  /** Names of the only classes that are wanted; all when left out. */
  readonly wanted?: readonly string[] | undefined
  readonly maxOverlap: number | null
  /** See `ModelCard`. */
  readonly maxCovered?: number | undefined
  /** The boxes of a family that usually answers something else are in canvas pixels already. */
  readonly isDecoded?: boolean
  readonly canvas: Size
}

export type ModelClasses = readonly (ModelClass | undefined)[]

export interface OutputShape {
  readonly name: string
  readonly shape: readonly number[]
}

/** Turns one run's outputs into detections. Keeps scratch memory, so it serves one run at a time. */
export type Decoder = (outputs: ModelOutputs, letterbox: Letterbox) => Detection[]

/** Tensors by role, without their shapes. Valid until the next run. */
export type ModelOutputs = Readonly<Record<string, Float32Array | Int32Array>>
