/** What a file name below a path's HLS address means. */
export type HlsFile =
  | { readonly kind: 'master' }
  | { readonly kind: 'media' }
  | { readonly kind: 'header'; readonly run: number }
  | { readonly kind: 'segment'; readonly sequence: number }
  | { readonly kind: 'part'; readonly sequence: number; readonly part: number }

/** Undefined for every name that we don't give. */
export function parseFileName(name: string): HlsFile | undefined {
  if (name === 'index.m3u8') return { kind: 'master' }
  if (name === 'stream.m3u8') return { kind: 'media' }
  const header = /^init-(\d{1,12})\.mp4$/.exec(name)
  if (header) return { kind: 'header', run: Number(header[1]) }
  const piece = /^(\d{1,12})(?:\.(\d{1,4}))?\.m4s$/.exec(name)
  if (!piece) return undefined
  const sequence = Number(piece[1])
  return piece[2] === undefined ? { kind: 'segment', sequence } : { kind: 'part', sequence, part: Number(piece[2]) }
}
