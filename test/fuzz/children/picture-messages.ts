export interface PictureQuestion {
  readonly file: string
}

export type PictureAnswer =
  | { readonly type: 'picture'; readonly isWhole: boolean }
  | { readonly type: 'refused'; readonly sentence: string; readonly isExpected: boolean }
