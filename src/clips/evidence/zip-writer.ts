import { crc32 } from 'node:zlib'
import { centralRecord, dataDescriptor, endRecords, entryBytes, localHeader, U32, type ZipEntry } from './zip-layout.ts'

/** What goes into a zip: small things as they are, others as they come. */
export type ZipMember = { readonly name: string } & (
  | { readonly bytes: Buffer }
  /** A size that is given must be right. Without it at most 4 GB come. */
  | { readonly pieces: AsyncIterable<Uint8Array>; readonly size?: number }
)

/**
 * A zip of what is given, member by member, as fast as it is taken: of the contents nothing is kept. The same members give the same
 * bytes. A member that turns out to be longer or shorter than was said breaks it off.
 */
export async function* writeZip(members: AsyncIterable<ZipMember>): AsyncGenerator<Buffer> {
  const records: Buffer[] = []
  let offset = 0
  for await (const member of members) {
    const written = yield* writeMember(member)
    records.push(centralRecord({ ...written, offset }))
    offset += entryBytes(written)
  }
  const bytes = records.reduce((sum, { length }) => sum + length, 0)
  yield* records
  yield endRecords({ offset, bytes, count: records.length })
}

type WrittenMember = Omit<ZipEntry, 'offset'>

async function* writeMember(member: ZipMember): AsyncGenerator<Buffer, WrittenMember> {
  const { name } = member
  if ('bytes' in member) {
    const { bytes } = member
    const entry = { name, size: bytes.length, crc: crc32(bytes), isMeasured: true }
    yield localHeader(entry)
    if (bytes.length > 0) yield bytes
    return entry
  }
  yield localHeader({ name, size: member.size ?? 0, crc: 0, isMeasured: false })
  const limit = member.size ?? U32 - 1
  let [size, crc] = [0, 0]
  for await (const piece of member.pieces) {
    size += piece.byteLength
    if (size > limit) throw new Error(`${name} is longer than the ${limit} bytes that it may have`)
    crc = crc32(piece, crc)
    yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
  }
  if (member.size !== undefined && size !== member.size)
    throw new Error(`${name} ended after ${size} of ${member.size} bytes`)
  const entry = { name, size, crc, isMeasured: false }
  yield dataDescriptor(entry)
  return entry
}
