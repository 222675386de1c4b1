/** A box of an MP4 file without its header (ISO/IEC 14496-12 §4.2). */
export interface Mp4Box {
  readonly type: string
  readonly body: Buffer
}

/** The boxes directly inside `content`, up to one that is not whole. */
export function* boxesIn(content: Buffer): Generator<Mp4Box> {
  for (let at = 0; at + 8 <= content.length;) {
    const size = content.readUInt32BE(at)
    if (size < 8 || at + size > content.length) return
    yield { type: content.toString('latin1', at + 4, at + 8), body: content.subarray(at + 8, at + size) }
    at += size
  }
}

/** The first box at a path below `content`. */
export function findBox(content: Buffer, ...path: readonly string[]): Buffer | undefined {
  return path.reduce<Buffer | undefined>(
    (inside, type) => inside && [...boxesIn(inside)].find((box) => box.type === type)?.body,
    content,
  )
}
