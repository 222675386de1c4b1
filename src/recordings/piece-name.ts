import { type VodContainer } from './vod-playlist.ts'

/** What a playlist names of a file: all that it takes to make a piece of it. */
export type PieceName =
  | { readonly fileId: string; readonly kind: 'init' }
  | {
      readonly fileId: string
      readonly kind: VodContainer
      readonly fromByte: number
      readonly toByte: number
      /** What its times are later by. */
      readonly baseMs: number
    }

/** Two days: a playlist has one at most, and a file may have begun long before what is played of it. */
const MAX_BASE_MS = 2 * 86_400_000
const FORM = /^([0-9a-f-]{36})-(?:(init)\.mp4|(\d{1,15})-(\d{1,15})-(-?\d{1,9})\.(m4s|ts))$/

export function readPieceName(name: string): PieceName | undefined {
  const [, fileId, init, from, to, base, suffix] = FORM.exec(name) ?? []
  if (fileId === undefined) return undefined
  if (init !== undefined) return { fileId, kind: 'init' }
  const [fromByte, toByte, baseMs] = [Number(from), Number(to), Number(base)]
  if (fromByte >= toByte || Math.abs(baseMs) > MAX_BASE_MS) return undefined
  return { fileId, kind: suffix === 'ts' ? 'ts' : 'mp4', fromByte, toByte, baseMs }
}
