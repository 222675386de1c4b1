/**
 * The records of a zip around its contents (PKWARE APPNOTE 6.3.10), as we write them: members are stored as they are, in the order of
 * their records, with nothing in between. All of each record follows from the name, the size, the checksum and the place, so that a
 * reader can make it anew and compare: there is no byte that could be changed unnoticed. ZIP64 only where a number needs it.
 */

/** A member of a zip. */
export interface ZipEntry {
  readonly name: string
  readonly size: number
  /** CRC-32 of the content. */
  readonly crc: number
  /** Where its local header begins. */
  readonly offset: number
  /** Size and checksum were known before the content was written: else they stand behind it. */
  readonly isMeasured: boolean
}

const END_BYTES = 22
const END64_BYTES = 56
const LOCATOR_BYTES = 20
/** Without the name. */
const LOCAL_BYTES = 30
export const CENTRAL_BYTES = 46

const U16 = 0xffff
export const U32 = 0xffffffff

const signatures = {
  local: 0x04034b50,
  descriptor: 0x08074b50,
  central: 0x02014b50,
  end64: 0x06064b50,
  locator: 0x07064b50,
  end: 0x06054b50,
} as const

const VERSION = 20
const VERSION_OF_ZIP64 = 45
const ZIP64_EXTRA = 1
/** Names are UTF-8 (§4.4.4, bit 11). */
const IS_UTF8 = 1 << 11
const HAS_DESCRIPTOR = 1 << 3
/** 1980-01-01, where the format's time begins: when something was packed is in the manifest. */
const DATE = 0x21

const isLarge = (value: number) => value >= U32
const small = (value: number) => Math.min(value, U32)
const flagsOf = ({ isMeasured }: Pick<ZipEntry, 'isMeasured'>) => IS_UTF8 | (isMeasured ? 0 : HAS_DESCRIPTOR)

/** Bytes in the order of their fields, little-endian. */
function record(length: number) {
  const bytes = Buffer.alloc(length)
  let at = 0
  const fields = {
    u16(...values: readonly number[]) {
      for (const value of values) at = bytes.writeUInt16LE(value, at)
      return fields
    },
    u32(...values: readonly number[]) {
      for (const value of values) at = bytes.writeUInt32LE(value, at)
      return fields
    },
    u64(...values: readonly number[]) {
      for (const value of values) at = bytes.writeBigUInt64LE(BigInt(value), at)
      return fields
    },
    bytes,
  }
  return fields
}

/** Numbers that have no room in their fields (§4.5.3). */
function zip64Extra(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0)
  return record(4 + values.length * 8)
    .u16(ZIP64_EXTRA, values.length * 8)
    .u64(...values).bytes
}

/** What stands before the content (§4.3.7). The size of a large one is known ahead: its fields must be wide from here on. */
export function localHeader(entry: Omit<ZipEntry, 'offset'>): Buffer {
  const { size, crc, isMeasured } = entry
  const name = Buffer.from(entry.name)
  const shown = isMeasured ? size : 0
  const extra = zip64Extra(isLarge(size) ? [shown, shown] : [])
  const inField = isLarge(size) ? U32 : shown
  const header = record(LOCAL_BYTES)
    .u32(signatures.local)
    .u16(isLarge(size) ? VERSION_OF_ZIP64 : VERSION, flagsOf(entry), 0, 0, DATE)
    .u32(isMeasured ? crc : 0, inField, inField)
    .u16(name.length, extra.length).bytes
  return Buffer.concat([header, name, extra])
}

/** What stands behind the content (§4.3.9); nothing where all of it stood before. */
export function dataDescriptor({ size, crc, isMeasured }: Omit<ZipEntry, 'offset'>): Buffer {
  if (isMeasured) return Buffer.alloc(0)
  if (isLarge(size)) return record(24).u32(signatures.descriptor, crc).u64(size, size).bytes
  return record(16).u32(signatures.descriptor, crc, size, size).bytes
}

/** All of a member, around its content. */
export function entryBytes(entry: Omit<ZipEntry, 'offset'>): number {
  return localHeader(entry).length + entry.size + dataDescriptor(entry).length
}

/** Its record in the central directory (§4.3.12). */
export function centralRecord(entry: ZipEntry): Buffer {
  const { size, crc, offset } = entry
  const name = Buffer.from(entry.name)
  const extra = zip64Extra([...(isLarge(size) ? [size, size] : []), ...(isLarge(offset) ? [offset] : [])])
  const version = extra.length > 0 ? VERSION_OF_ZIP64 : VERSION
  const header = record(CENTRAL_BYTES)
    .u32(signatures.central)
    .u16(version, version, flagsOf(entry), 0, 0, DATE)
    .u32(crc, small(size), small(size))
    .u16(name.length, extra.length, 0, 0, 0)
    .u32(0, small(offset)).bytes
  return Buffer.concat([header, name, extra])
}

/** What a record of the central directory says, and how long it is; undefined for what is none. The caller compares it with `centralRecord`. */
export function parseCentralRecord(bytes: Buffer, at: number): { entry: ZipEntry; length: number } | undefined {
  if (at + CENTRAL_BYTES > bytes.length || bytes.readUInt32LE(at) !== signatures.central) return undefined
  const nameEnd = at + CENTRAL_BYTES + bytes.readUInt16LE(at + 28)
  const end = nameEnd + bytes.readUInt16LE(at + 30)
  if (end > bytes.length) return undefined
  const wide = wideNumbers(bytes.subarray(nameEnd, end))
  const wideOr = (value: number) => (value === U32 ? (wide.shift() ?? value) : value)
  const size = wideOr(bytes.readUInt32LE(at + 24))
  // Of what is stored both sizes are the same; the second one is compared.
  wideOr(bytes.readUInt32LE(at + 20))
  const offset = wideOr(bytes.readUInt32LE(at + 42))
  const entry = {
    name: bytes.toString('utf8', at + CENTRAL_BYTES, nameEnd),
    size,
    crc: bytes.readUInt32LE(at + 16),
    offset,
    isMeasured: (bytes.readUInt16LE(at + 8) & HAS_DESCRIPTOR) === 0,
  }
  return { entry, length: end - at }
}

function wideNumbers(extra: Buffer): number[] {
  const numbers: number[] = []
  for (let at = 4; at + 8 <= extra.length && numbers.length < 3; at += 8) numbers.push(wideNumber(extra, at))
  return numbers
}

/** No file is as large as what a double can't hold: it is cut down to what is not what stands there. */
const wideNumber = (bytes: Buffer, at: number) => Math.min(Number(bytes.readBigUInt64LE(at)), Number.MAX_SAFE_INTEGER)

/** The central directory: where it begins, how long it is, and of how many members. */
export interface CentralDirectory {
  readonly offset: number
  readonly bytes: number
  readonly count: number
}

/** The end of a zip (§4.3.14 to §4.3.16). */
export function endRecords({ offset, bytes, count }: CentralDirectory): Buffer {
  const isWide = count >= U16 || isLarge(offset) || isLarge(bytes)
  const few = Math.min(count, U16)
  const end = record(END_BYTES).u32(signatures.end).u16(0, 0, few, few).u32(small(bytes), small(offset)).u16(0).bytes
  if (!isWide) return end
  const end64 = record(END64_BYTES)
    .u32(signatures.end64)
    .u64(END64_BYTES - 12)
    .u16(VERSION_OF_ZIP64, VERSION_OF_ZIP64)
    .u32(0, 0)
    .u64(count, count, bytes, offset).bytes
  const locator = record(LOCATOR_BYTES)
    .u32(signatures.locator, 0)
    .u64(offset + bytes)
    .u32(1).bytes
  return Buffer.concat([end64, locator, end])
}

/** The longest that `endRecords` can be. */
export const MAX_END_BYTES = END64_BYTES + LOCATOR_BYTES + END_BYTES

/** Where the last bytes of a file say that the central directory is; undefined where they are not a zip's. To be compared with `endRecords`. */
export function parseEnd(tail: Buffer): CentralDirectory | undefined {
  const at = tail.length - END_BYTES
  if (at < 0 || tail.readUInt32LE(at) !== signatures.end) return undefined
  const said = {
    count: tail.readUInt16LE(at + 10),
    bytes: tail.readUInt32LE(at + 12),
    offset: tail.readUInt32LE(at + 16),
  }
  if (said.count !== U16 && said.bytes !== U32 && said.offset !== U32) return said
  const wideAt = at - LOCATOR_BYTES - END64_BYTES
  if (wideAt < 0 || tail.readUInt32LE(wideAt) !== signatures.end64) return undefined
  const wide = (from: number) => wideNumber(tail, wideAt + from)
  return { count: wide(32), bytes: wide(40), offset: wide(48) }
}
