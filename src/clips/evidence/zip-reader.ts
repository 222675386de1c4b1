import { crc32 } from 'node:zlib'
import {
  CENTRAL_BYTES,
  type CentralDirectory,
  centralRecord,
  dataDescriptor,
  endRecords,
  entryBytes,
  localHeader,
  MAX_END_BYTES,
  parseCentralRecord,
  parseEnd,
  type ZipEntry,
} from './zip-layout.ts'

/** Bytes that can be read at any place, as of a file. */
export interface ByteSource {
  readonly size: number
  /** All of them: rejects where there are fewer. */
  read(position: number, length: number): Promise<Buffer>
}

/** What is wrong with a package, in a sentence. */
export class InvalidPackage extends Error {}

const MAX_ENTRIES = 1_000_000
const MAX_DIRECTORY_BYTES = 256 * 1024 * 1024
const PIECE_BYTES = 1024 * 1024

/**
 * The members of a zip that `writeZip` has written. Any other is refused: each record is made anew from what it says and compared, and
 * nothing may stand before, between or behind the members. The contents are compared when they are read.
 */
export async function readZip(source: ByteSource): Promise<readonly ZipEntry[]> {
  const tail = await source.read(Math.max(0, source.size - MAX_END_BYTES), Math.min(source.size, MAX_END_BYTES))
  const directory = parseEnd(tail)
  if (!directory) throw new InvalidPackage('It is not a package: it does not end as a zip of ours does.')
  if (directory.count > MAX_ENTRIES || directory.bytes > MAX_DIRECTORY_BYTES)
    throw new InvalidPackage('It is not a package of ours: its list of files is too long.')
  const end = endRecords(directory)
  const endsWhole = directory.offset + directory.bytes + end.length === source.size
  if (!endsWhole || !tail.subarray(-end.length).equals(end))
    throw new InvalidPackage('Its end was changed, or something is missing or was put in.')
  return readEntries(directory, await source.read(directory.offset, directory.bytes))
}

function readEntries({ offset: contentEnd, count }: CentralDirectory, bytes: Buffer): ZipEntry[] {
  if (count * CENTRAL_BYTES > bytes.length) throw changedList()
  const entries: ZipEntry[] = []
  const names = new Set<string>()
  let [at, offset] = [0, 0]
  for (let index = 0; index < count; index++) {
    const parsed = parseCentralRecord(bytes, at)
    if (!parsed) throw changedList(entries.at(-1))
    const { entry, length } = parsed
    if (!bytes.subarray(at, at + length).equals(centralRecord(entry)) || entry.offset !== offset)
      throw changedList(entry)
    if (!isPackagePath(entry.name) || names.has(entry.name))
      throw new InvalidPackage(`It is not a package of ours: ${JSON.stringify(entry.name)} is no name of a file in it.`)
    names.add(entry.name)
    entries.push(entry)
    at += length
    offset += entryBytes(entry)
  }
  if (at !== bytes.length || offset !== contentEnd) throw changedList(entries.at(-1))
  return entries
}

/** By the list, since what it says of a file is no proof of its name. */
function changedList(near?: ZipEntry): InvalidPackage {
  return new InvalidPackage(`Its list of files was changed${near ? `, at ${JSON.stringify(near.name)}` : ''}.`)
}

/** Below the folder in which it is unpacked, on any system, and shown as what it is: nothing in it turns the direction of what follows. */
function isPackagePath(name: string): boolean {
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\:\ufffd]/u.test(name)) return false
  return name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

/** The content of a member, as fast as it is taken. Rejects at its end where anything of it is not as it was written. */
export async function* readMember(source: ByteSource, entry: ZipEntry): AsyncGenerator<Buffer> {
  const { name, offset, size } = entry
  const header = localHeader(entry)
  const start = offset + header.length
  if (!(await source.read(offset, header.length)).equals(header))
    throw new InvalidPackage(`${name}: its head was changed.`)
  let crc = 0
  for (let at = 0; at < size;) {
    const piece = await source.read(start + at, Math.min(PIECE_BYTES, size - at))
    crc = crc32(piece, crc)
    at += piece.length
    yield piece
  }
  if (crc !== entry.crc) throw new InvalidPackage(`${name} was changed.`)
  const descriptor = dataDescriptor(entry)
  if (!(await source.read(start + size, descriptor.length)).equals(descriptor))
    throw new InvalidPackage(`${name}: what stands behind it was changed.`)
}

/** Of memory. */
export function bytesSource(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    async read(position, length) {
      if (position + length > bytes.length) throw new InvalidPackage('It ends before its time.')
      return bytes.subarray(position, position + length)
    },
  }
}
