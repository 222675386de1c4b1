export interface ModelQuestion {
  /** A folder of models, and the one in it that is meant. */
  readonly dir: string
  readonly name: string
}

export type ModelAnswer =
  | { readonly type: 'detections'; readonly areNumbers: boolean }
  | { readonly type: 'refused'; readonly sentence: string; readonly isExpected: boolean }
