import { type Readable } from 'node:stream'

/** `ftyp` and `moov` of one of our files have a few kilobytes. */
const MAX_INIT_BYTES = 2 ** 20
const MOOV = 'moov'

/** The beginning of a file, up to the end of its `moov`; how long that is is known where the file has an index. */
export async function readInit(
  open: (toByte: number) => Promise<Readable>,
  knownBytes: number | undefined,
): Promise<Buffer | undefined> {
  if (knownBytes !== undefined && knownBytes > MAX_INIT_BYTES) return undefined
  const source = await open(knownBytes ?? MAX_INIT_BYTES)
  let init = Buffer.alloc(0)
  // Leaving the loop ends the stream: no more is read than it takes.
  for await (const chunk of source) {
    init = Buffer.concat([init, chunk as Buffer])
    const end = knownBytes ?? endOfMoov(init)
    if (end !== undefined && init.length >= end) return init.subarray(0, end)
  }
  return undefined
}

/** Undefined while more bytes are needed. */
function endOfMoov(bytes: Buffer): number | undefined {
  for (let at = 0; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32BE(at)
    if (size < 8) return undefined
    at += size
    if (bytes.toString('latin1', at - size + 4, at - size + 8) === MOOV) return at
  }
  return undefined
}
