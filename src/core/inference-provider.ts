/** What computes the models: the processor, or an accelerator by an execution provider of ONNX Runtime. */
export const INFERENCE_PROVIDERS = ['cpu', 'cuda', 'tensorrt', 'webgpu', 'openvino'] as const

export type InferenceProvider = (typeof INFERENCE_PROVIDERS)[number]

/** Our own models compute with bytes, which accelerators can't: they would hand each step back to the CPU. */
export const EMBEDDED_PROVIDER: InferenceProvider = 'cpu'

/** As operators wish it: `auto` takes an accelerator where one works. */
export type WantedProvider = InferenceProvider | 'auto'

/** What became of the wish. */
export interface ProviderChoice {
  readonly used: InferenceProvider
  /** A sentence: why what was wanted is not used. */
  readonly problem?: string
}
