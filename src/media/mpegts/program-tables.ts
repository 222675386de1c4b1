/** The tables that say what is in a transport stream: one program (ISO/IEC 13818-1 §2.4.4). */

export const VIDEO_PID = 0x100
export const AUDIO_PID = 0x101
export const PAT_PID = 0
export const PMT_PID = 0x1000

/** §2.4.4.9, table 2-34. */
const STREAM_TYPES = { mp3: 0x03, aac: 0x0f, h264: 0x1b, h265: 0x24 } as const
export type TsCodec = keyof typeof STREAM_TYPES

const PROGRAM = 1

export function programAssociation(): Buffer {
  return section(0x00, Buffer.from([0, PROGRAM, 0xe0 | (PMT_PID >> 8), PMT_PID & 0xff]))
}

export function programMap(video: TsCodec, audio: TsCodec | undefined): Buffer {
  const entry = (codec: TsCodec, pid: number) => [STREAM_TYPES[codec], 0xe0 | (pid >> 8), pid & 0xff, 0xf0, 0]
  const head = [0xe0 | (VIDEO_PID >> 8), VIDEO_PID & 0xff, 0xf0, 0]
  return section(0x02, Buffer.from([...head, ...entry(video, VIDEO_PID), ...(audio ? entry(audio, AUDIO_PID) : [])]))
}

/** With the pointer that stands before the first section of a packet. */
function section(tableId: number, content: Buffer): Buffer {
  const CRC_BYTES = 4
  const head = Buffer.from([tableId, 0, 0, 0, PROGRAM, 0xc1, 0, 0])
  head.writeUInt16BE(0xb000 | (head.length - 3 + content.length + CRC_BYTES), 1)
  const body = Buffer.concat([head, content, Buffer.alloc(CRC_BYTES)])
  body.writeUInt32BE(crc32(body.subarray(0, -CRC_BYTES)), body.length - CRC_BYTES)
  return Buffer.concat([Buffer.alloc(1), body])
}

/** Annex A: not the CRC of zlib, whose bits are the other way round. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  }
  return crc >>> 0
}
