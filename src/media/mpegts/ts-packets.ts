/** Packets of an MPEG-2 transport stream (ISO/IEC 13818-1 §2.4.3). */

const PACKET_BYTES = 188
const HEADER_BYTES = 4
const SYNC = 0x47
const STARTS_UNIT = 0x4000
const HAS_ADAPTATION = 0x20
const HAS_PAYLOAD = 0x10
const IS_DISCONTINUITY = 0x80
const IS_RANDOM_ACCESS = 0x40
const HAS_PCR = 0x10
const PCR_BYTES = 6

export interface PacketOptions {
  readonly isRandomAccess?: boolean
  /** Clock of the program, in ticks of 90 kHz. */
  readonly pcr?: number
}

/** Numbers the packets of one PID. The first says that what came before, from another piece, does not go on here. */
export interface PacketWriter {
  /** A whole unit: a table, or a PES packet. */
  write(unit: Buffer, options?: PacketOptions): Buffer
}

export function createPacketWriter(pid: number): PacketWriter {
  let counter = 0
  let isFirst = true

  return {
    write(unit, { isRandomAccess = false, pcr } = {}) {
      const flags = (isFirst ? IS_DISCONTINUITY : 0) | (isRandomAccess ? IS_RANDOM_ACCESS : 0)
      isFirst = false
      const packets: Buffer[] = []
      for (let at = 0; at < unit.length;) {
        const field = at === 0 ? adaptationField(flags, pcr) : Buffer.alloc(0)
        const room = PACKET_BYTES - HEADER_BYTES - field.length
        const payload = unit.subarray(at, at + room)
        const packet = Buffer.alloc(PACKET_BYTES, 0xff)
        const padded = stuffed(field, room - payload.length)
        packet[0] = SYNC
        packet.writeUInt16BE((at === 0 ? STARTS_UNIT : 0) | pid, 1)
        packet[3] = (padded.length > 0 ? HAS_ADAPTATION : 0) | HAS_PAYLOAD | counter
        counter = (counter + 1) % 16
        padded.copy(packet, HEADER_BYTES)
        payload.copy(packet, HEADER_BYTES + padded.length)
        packets.push(packet)
        at += payload.length
      }
      return Buffer.concat(packets)
    },
  }
}

/** §2.4.3.4; nothing where there is nothing to say. */
function adaptationField(flags: number, pcr: number | undefined): Buffer {
  if (flags === 0 && pcr === undefined) return Buffer.alloc(0)
  const field = Buffer.alloc(2 + (pcr === undefined ? 0 : PCR_BYTES))
  field[0] = field.length - 1
  field[1] = flags | (pcr === undefined ? 0 : HAS_PCR)
  if (pcr !== undefined) writePcr(field, 2, pcr)
  return field
}

/** 33 bits of 90 kHz, 6 bits that are reserved, 9 of 27 MHz. */
function writePcr(field: Buffer, at: number, ticks: number): void {
  field.writeUInt32BE(Math.floor(ticks / 2) % 2 ** 32, at)
  field.writeUInt16BE(((ticks % 2) << 15) | 0x7e00, at + 4)
}

/** What the payload leaves free of a packet is filled before it. */
function stuffed(field: Buffer, bytes: number): Buffer {
  if (bytes === 0) return field
  const filled = Buffer.alloc(Math.max(field.length, 1) + (field.length > 0 ? bytes : bytes - 1), 0xff)
  field.copy(filled)
  filled[0] = filled.length - 1
  if (field.length === 0 && filled.length > 1) filled[1] = 0
  return filled
}
