import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * An MP4 or QuickTime file of some kilobytes may claim any number of samples: by a count without a table (`stsz` of one size for
 * all, `trun` of defaults alone), or by edits that repeat them (`elst`). FFmpeg notes every one of them in some 36 bytes before it
 * reads the first. So what is claimed is counted before it opens the file (ISO/IEC 14496-12 §8.6 to §8.8).
 */
export function checkSampleClaims(file: string): void {
  const handle = openSync(file, 'r')
  try {
    let total = 0
    for (const { type, body } of boxesOf(handle)) {
      total +=
        type === 'moof' ? countFragment(body) : type === 'trak' ? countTrack([...tablesIn(body)]) : countTracks(body)
      if (total > MAX_SAMPLES)
        throw new Error(
          `It claims to hold more than ${MAX_SAMPLES} pictures and pieces of sound; cut it into shorter files.`,
        )
    }
  } finally {
    closeSync(handle)
  }
}

/** More than fourteen hours of video and sound. */
const MAX_SAMPLES = 4_000_000
/** So many samples have tables of about this size. */
const MAX_TABLE_BYTES = 128 * 2 ** 20
const MAX_BOXES = 1_000_000

interface Box {
  readonly type: string
  readonly body: Buffer
}

/** The boxes of the file that hold tables; the others, with the video itself, are passed over. */
function* boxesOf(handle: number): Generator<Box> {
  const fileSize = fstatSync(handle).size
  const head = Buffer.alloc(16)
  for (let at = 0, count = 0; at + 8 <= fileSize; count++) {
    const { type, headBytes, bytes } = readHead(head.subarray(0, readSync(handle, head, 0, 16, at)), fileSize - at)
    if (bytes < headBytes) return
    if (count > MAX_BOXES) throw new Error('It is cut into too many pieces.')
    if (type === 'moov' || type === 'moof' || type === 'trak') {
      const body = Buffer.alloc(Math.min(bytes - headBytes, MAX_TABLE_BYTES + 1))
      if (body.length > MAX_TABLE_BYTES) throw new Error('Its tables are too large; cut it into shorter files.')
      yield { type, body: body.subarray(0, readSync(handle, body, 0, body.length, at + headBytes)) }
    }
    at += bytes
  }
}

/** One that reaches beyond what holds it ends there, and one of length 0 too: so FFmpeg reads them. */
function readHead(head: Buffer, leftBytes: number): { type: string; headBytes: number; bytes: number } {
  const length = head.readUInt32BE(0)
  const isLong = length === 1 && head.length >= 16
  const bytes = isLong ? Number(head.readBigUInt64BE(8)) : length
  return {
    type: head.toString('latin1', 4, 8),
    headBytes: isLong ? 16 : 8,
    bytes: length === 0 ? leftBytes : Math.min(bytes, leftBytes),
  }
}

function* boxesIn(content: Buffer): Generator<Box> {
  for (let at = 0; at + 8 <= content.length;) {
    const { type, headBytes, bytes } = readHead(content.subarray(at, at + 16), content.length - at)
    if (bytes < headBytes) return
    yield { type, body: content.subarray(at + headBytes, at + bytes) }
    at += bytes
  }
}

function countTracks(moov: Buffer): number {
  let samples = 0
  for (const { type, body } of boxesIn(moov)) {
    // One that is compressed hides what it claims, and has not been written since the last century.
    if (type === 'cmov') throw new Error('Its header is compressed; save it anew with another program.')
    if (type === 'trak') samples += countTrack([...tablesIn(body)])
  }
  return samples
}

/** Of tables that are there more than once each reader takes another one: the largest counts. */
function countTrack(tables: readonly Box[]): number {
  const bodiesOf = (type: string) => tables.filter((table) => table.type === type).map(({ body }) => body)
  const largest = (type: string, at: number) =>
    bodiesOf(type).reduce((max, body) => Math.max(max, numberAt(body, at)), 0)
  const samples = Math.max(largest('stsz', 8), largest('stz2', 8))
  // Plain sound, a sample of one tick each, is noted by pieces of chunks. What does not say that it is sound counts as video.
  const isPlainSound =
    all(bodiesOf('hdlr').map(handlerOf).filter(isOfMedia), (handler) => handler === 'soun') &&
    all(bodiesOf('stts'), (body) => numberAt(body, 4) === 1 && numberAt(body, 12) === 1)
  if (!isPlainSound) return samples * Math.max(1, largest('elst', 4))
  const chunks = Math.max(largest('stco', 4), largest('co64', 4))
  return chunks * Math.ceil(Math.max(0, ...bodiesOf('stsc').map(largestChunk)) / SOUND_PIECE)
}

/** Unlike `every`, false of none. */
function all<T>(list: readonly T[], isSo: (one: T) => boolean): boolean {
  return list.length > 0 && list.every(isSo)
}

const handlerOf = (hdlr: Buffer) => hdlr.toString('latin1', 8, 12)
/** A QuickTime track has a second handler, which says where its data is. */
const isOfMedia = (handler: string) => !['url ', 'alis', 'rsrc'].includes(handler)

/** FFmpeg cuts chunks of plain sound into pieces of so many samples. */
const SOUND_PIECE = 1024

function largestChunk(stsc: Buffer): number {
  let largest = 0
  for (let at = 12; at + 4 <= stsc.length; at += 12) largest = Math.max(largest, stsc.readUInt32BE(at))
  return largest
}

function countFragment(moof: Buffer): number {
  const runs = [...tablesIn(moof)].filter(({ type }) => type === 'trun')
  return runs.reduce((sum, { body }) => sum + numberAt(body, 4), 0)
}

const CONTAINERS = ['mdia', 'minf', 'stbl', 'edts', 'traf']
const TABLES = ['stsz', 'stz2', 'stts', 'stsc', 'stco', 'co64', 'elst', 'hdlr', 'trun']

/** FFmpeg goes no deeper either. */
const MAX_DEPTH = 10

function* tablesIn(content: Buffer, depth = 0): Generator<Box> {
  for (const box of boxesIn(content)) {
    if (TABLES.includes(box.type)) yield box
    else if (CONTAINERS.includes(box.type) && depth < MAX_DEPTH) yield* tablesIn(box.body, depth + 1)
  }
}

function numberAt(body: Buffer, at: number): number {
  return at + 4 <= body.length ? body.readUInt32BE(at) : 0
}
