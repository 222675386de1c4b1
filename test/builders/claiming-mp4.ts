import { readFileSync } from 'node:fs'
import { box, u32 } from './mp4-boxes.ts'

/** An MP4 whose tables are not those that were written with it. */
type Replace = (type: string, body: Buffer) => Buffer | null | undefined

const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'moof', 'traf']

/** The file with boxes replaced (a buffer), left out (null) or as they are (undefined), at any depth. */
export function rewriteBoxes(content: Buffer, replace: Replace): Buffer {
  const boxes: Buffer[] = []
  for (let at = 0; at + 8 <= content.length;) {
    const size = content.readUInt32BE(at)
    const type = content.toString('latin1', at + 4, at + 8)
    const inside = content.subarray(at + 8, at + size)
    const body = CONTAINERS.includes(type) ? rewriteBoxes(inside, replace) : inside
    const replaced = replace(type, body)
    if (replaced !== null) boxes.push(replaced ?? box(type, body))
    at += size
  }
  return Buffer.concat(boxes)
}

/** One byte each, all in one chunk, without a table of sizes: a few bytes claim them all. */
const sampleTables = (samples: number): Record<string, Buffer | null> => ({
  stsz: box('stsz', u32(0, 1, samples)),
  stsc: box('stsc', u32(0, 1, 1, samples, 1)),
  stco: box('stco', u32(0, 1, 48)),
  stts: box('stts', u32(0, 1, samples, 512)),
  ctts: null,
  stss: null,
  sdtp: null,
})

export function claimingSamples(file: string, samples: number): Buffer {
  const tables: Record<string, Buffer | null> = { ...sampleTables(samples), edts: null }
  return rewriteBoxes(readFileSync(file), (type) => tables[type])
}

/** Sound, a tick each, except where other boxes (or none) are given. */
export function claimingSound(file: string, samples: number, others: Record<string, Buffer | null>): Buffer {
  const tables: Record<string, Buffer | null> = {
    ...sampleTables(samples),
    edts: null,
    hdlr: box('hdlr', u32(0, 0), Buffer.from('soun')),
    stts: box('stts', u32(0, 1, samples, 1)),
    ...others,
  }
  return rewriteBoxes(readFileSync(file), (type) => tables[type])
}

/** The track of a file that has one, with what it claims; `wrap` puts its tables elsewhere. */
export function claimingTrack(file: string, samples: number, wrap: (minf: Buffer) => Buffer = (minf) => minf): Buffer {
  const tables: Record<string, Buffer | null> = { ...sampleTables(samples), edts: null }
  let track: Buffer | undefined
  rewriteBoxes(readFileSync(file), (type, body) => {
    if (type === 'trak') track = box('trak', body)
    return type === 'minf' ? wrap(box('minf', body)) : tables[type]
  })
  return track!
}

/** Every edit shows the whole of it once more. */
export function claimingEdits(file: string, samples: number, edits: number): Buffer {
  const edit = u32(samples * 40, 0, 0x10000)
  const elst = box('elst', u32(0, edits), ...Array.from({ length: edits }, () => edit))
  const tables: Record<string, Buffer | null> = { ...sampleTables(samples), elst }
  return rewriteBoxes(readFileSync(file), (type) => tables[type])
}

/** The last fragment claims samples of the usual size and length, without a table. */
export function claimingRun(fragmentedFile: string, samples: number): Buffer {
  const bytes = readFileSync(fragmentedFile)
  const at = bytes.lastIndexOf('trun')
  bytes.writeUInt32BE(1, at + 4)
  bytes.writeUInt32BE(samples, at + 8)
  return bytes
}

/** The samples are encrypted, all with one constant vector, so that nothing is to be said of each of them but their number. */
export function claimingProtection(file: string, samples: number): Buffer {
  const tenc = box('tenc', u32(0x100_0000, 0x100), Buffer.alloc(16), Buffer.from([16]), Buffer.alloc(16))
  const scheme = box('schm', u32(0), Buffer.from('cenc'), u32(0x1_0000))
  const sinf = box('sinf', box('frma', Buffer.from('avc1')), scheme, box('schi', tenc))
  return rewriteBoxes(readFileSync(file), (type, body) => {
    if (type === 'stsd') return box('stsd', body.subarray(0, 8), box('encv', body.subarray(16), sinf))
    return type === 'trak' ? box('trak', body, box('senc', u32(0, samples))) : undefined
  })
}
