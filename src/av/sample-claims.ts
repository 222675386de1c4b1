import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * An MP4 or QuickTime file of some kilobytes may claim any number of samples: by a count without a table (`stsz` of one size for
 * all, `trun` of defaults alone, `senc`), or by edits that repeat them (`elst`). FFmpeg notes every one of them in some 36 bytes before it
 * reads the first. So what is claimed is counted before it opens the file (ISO/IEC 14496-12 §8.6 to §8.8).
 */
export function checkSampleClaims(file: string): void {
  const handle = openSync(file, 'r')
  try {
    let total = 0
    for (const box of boxesOf(handle)) {
      total += countIn(box)
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
/** Of a track, or a fragment. */
const MAX_TABLES = 10_000

interface Box {
  readonly type: string
  readonly body: Buffer
}

/** The boxes of the file that may hold tables; the others, with the video itself, are passed over. */
function* boxesOf(handle: number): Generator<Box> {
  const fileSize = fstatSync(handle).size
  for (let at = 0, count = 0; at + 8 <= fileSize; count++) {
    const { type, headBytes, bytes } = readHead(readBytes(handle, at, 16), fileSize - at)
    if (bytes < headBytes) return
    if (count > MAX_BOXES) throw new Error('It is cut into too many pieces.')
    const bodyAt = at + headBytes
    const { type: readAs } = asRead(type, readBytes(handle, bodyAt, 8))
    if (isRead(readAs)) {
      if (bytes - headBytes > MAX_TABLE_BYTES) throw new Error('Its tables are too large; cut it into shorter files.')
      yield { type: readAs, body: readBytes(handle, bodyAt, bytes - headBytes) }
    }
    at += bytes
  }
}

function readBytes(handle: number, at: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  return buffer.subarray(0, readSync(handle, buffer, 0, bytes, at))
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
    yield asRead(type, content.subarray(at + headBytes, at + bytes))
    at += bytes
  }
}

/** One in the file itself, or in its header. */
function countIn(box: Box): number {
  if (box.type === 'moov') return [...boxesIn(box.body)].reduce((sum, inside) => sum + countPart(inside), 0)
  return countPart(box)
}

/** A track, a fragment, or tables that are in neither: FFmpeg takes those too, for the last track. */
function countPart(box: Box): number {
  const tables: Box[] = []
  for (const table of box.type === 'trak' ? tablesIn(box.body) : tablesOf(box))
    if (tables.push(table) > MAX_TABLES) throw new Error('It is cut into too many pieces.')
  return countTrack(tables) + countRuns(tables) + countProtected(tables) + countItems(tables)
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

function countRuns(tables: readonly Box[]): number {
  const runs = tables.filter(({ type }) => type === 'trun')
  return runs.reduce((sum, { body }) => sum + numberAt(body, 4), 0)
}

/** How each sample is encrypted, which for a constant vector takes no bytes (ISO/IEC 23001-7 §7.2). */
function countProtected(tables: readonly Box[]): number {
  const protectedSamples = tables.filter(({ type }) => type === 'senc')
  return protectedSamples.reduce((sum, { body }) => sum + numberAt(body, 4), 0)
}

/** Pictures of an album (§8.11.3, §8.11.6), for which memory is taken by their number alone. The versions before count to 65535. */
function countItems(tables: readonly Box[]): number {
  const countOf = ({ type, body }: Box) => {
    if (type === 'iinf' && body[0]! >= 1) return numberAt(body, 4)
    return type === 'iloc' && body[0]! >= 2 ? numberAt(body, 6) : 0
  }
  return tables.reduce((sum, table) => sum + countOf(table), 0)
}

/** What FFmpeg looks into for boxes, wherever it stands (`mov_default_parse_table`): many more than tables belong in. */
const CONTAINERS = [
  ...['mdia', 'minf', 'stbl', 'edts', 'dinf', 'udta', 'ilst', 'tref', 'wave', 'sinf', 'schi', 'mvex', 'moof', 'traf'],
  ...['iprp', 'ipco', 'vexu', 'eyes', 'jp2h'],
]
const TABLES = ['stsz', 'stz2', 'stts', 'stsc', 'stco', 'co64', 'elst', 'hdlr', 'trun', 'senc', 'iinf', 'iloc']
/** What makes tracks: each has one place, and no program writes it elsewhere. */
const HEADERS = ['moov', 'trak']

const READ = [...HEADERS, ...CONTAINERS, ...TABLES, 'meta', 'stsd', 'cmov']
const isRead = (type: string) => READ.includes(type)

/** FFmpeg takes a header for one also where it was overwritten with another name. */
function asRead(type: string, body: Buffer): Box {
  const isHeader = ['hoov', 'free'].includes(type) && ['mvhd', 'cmov'].includes(body.toString('latin1', 4, 8))
  return { type: isHeader ? 'moov' : type, body }
}

/** FFmpeg goes no deeper either. */
const MAX_DEPTH = 10

function* tablesIn(content: Buffer, depth = 0): Generator<Box> {
  if (depth < MAX_DEPTH) for (const box of boxesIn(content)) yield* tablesOf(box, depth)
}

function* tablesOf(box: Box, depth = 0): Generator<Box> {
  const { type, body } = box
  if (HEADERS.includes(type))
    throw new Error('Its header is put together as no program does it; save it anew with another program.')
  // One that is compressed hides what it claims, and has not been written since the last century.
  if (type === 'cmov') throw new Error('Its header is compressed; save it anew with another program.')
  if (TABLES.includes(type)) yield box
  else if (type === 'stsd') yield* tablesAnywhere(body)
  else if (type === 'meta') yield* tablesInMeta(body, depth + 1)
  else if (CONTAINERS.includes(type)) yield* tablesIn(body, depth + 1)
}

/** Descriptions of samples have boxes behind fields that are of another length in each of them. They are short. */
function* tablesAnywhere(body: Buffer): Generator<Box> {
  for (const type of TABLES)
    for (let at = body.indexOf(type, 0, 'latin1'); at >= 0; at = body.indexOf(type, at + 1, 'latin1'))
      yield { type, body: body.subarray(at + 4) }
}

/**
 * Metadata begin with or without a version; FFmpeg looks for the handler that is their first box, at every fourth byte. That one
 * says nothing of the track, unless it is of a kind that only tracks have.
 */
function* tablesInMeta(body: Buffer, depth: number): Generator<Box> {
  let at = body.indexOf('hdlr')
  while (at % 4 > 0) at = body.indexOf('hdlr', at + 1)
  if (at < 0) return
  const tables = at === 0 ? [{ type: 'hdlr', body: body.subarray(4) }] : tablesIn(body.subarray(at - 4), depth)
  for (const table of tables)
    if (table.type !== 'hdlr' || MEDIA_HANDLERS.includes(table.body.toString('latin1', 8, 12))) yield table
}

/** Those by which FFmpeg knows what a track is. */
const MEDIA_HANDLERS = ['vide', 'soun', 'm1a ', 'subp', 'clcp']

function numberAt(body: Buffer, at: number): number {
  return at + 4 <= body.length ? body.readUInt32BE(at) : 0
}
