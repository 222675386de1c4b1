import { crc32 } from 'node:zlib'

/** A record of the spool: `[length 4][checksum 4][sequence 8] payload`, numbers big-endian. The checksum is that of all behind it. */
export interface SpoolRecord {
  /** Grows from record to record. */
  readonly sequence: number
  readonly payload: Buffer
}

const HEADER_BYTES = 16

/** What a payload takes as a record. */
export const recordBytesOf = (payload: Buffer) => HEADER_BYTES + payload.length

/** `seed` goes into the checksum: what was written with another one is no record any more. */
export function encodeRecord({ sequence, payload }: SpoolRecord, seed: number): Buffer {
  const record = Buffer.allocUnsafe(recordBytesOf(payload))
  record.writeUInt32BE(payload.length, 0)
  record.writeBigUInt64BE(BigInt(sequence), 8)
  payload.copy(record, HEADER_BYTES)
  record.writeUInt32BE(crc32(record.subarray(8), seed), 4)
  return record
}

/** The record at the beginning of these bytes. Undefined where a write was cut short, or nothing was ever written. */
export function readRecord(bytes: Buffer, seed: number): SpoolRecord | undefined {
  if (bytes.length < HEADER_BYTES) return undefined
  const end = HEADER_BYTES + bytes.readUInt32BE(0)
  if (end > bytes.length || crc32(bytes.subarray(8, end), seed) !== bytes.readUInt32BE(4)) return undefined
  return { sequence: Number(bytes.readBigUInt64BE(8)), payload: bytes.subarray(HEADER_BYTES, end) }
}

/** Those at the beginning of these bytes. One that is older than the one before it is left from a write that failed. */
export function readRecords(bytes: Buffer, seed: number): SpoolRecord[] {
  const records: SpoolRecord[] = []
  for (let at = 0; ;) {
    const record = readRecord(bytes.subarray(at), seed)
    if (!record || record.sequence <= (records.at(-1)?.sequence ?? 0)) return records
    records.push(record)
    at += recordBytesOf(record.payload)
  }
}
