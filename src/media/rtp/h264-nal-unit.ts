/** NAL unit types of H.264 (table 7-1) that the media server distinguishes. */
export const H264_TYPE = { slice: 1, idr: 5, sei: 6, sps: 7, pps: 8, delimiter: 9, spsExtension: 13 } as const

/** Types that are RTP's own: single-time aggregation packets and fragments (RFC 6184 §5.4). */
export const H264_PACKET_TYPE = { aggregate: 24, fragment: 28 } as const

export const h264Type = (nalUnit: Buffer): number => nalUnit[0]! & 0x1f

/** Types 0 and 24–31 can't be carried: RTP has its own use for those numbers (RFC 6184 §5.2). */
export function isCarriableH264(nalUnit: Buffer): boolean {
  if (nalUnit.length === 0) return false
  const type = h264Type(nalUnit)
  return type >= 1 && type <= 23
}

export const isH264Idr = (nalUnit: Buffer): boolean => h264Type(nalUnit) === H264_TYPE.idr

export const isH264Slice = (nalUnit: Buffer): boolean => h264Type(nalUnit) >= 1 && h264Type(nalUnit) <= 5

/** A delimiter, SEI or parameter set, or the slice with `first_mb_in_slice` 0, whose code is a single set bit. */
export function beginsH264AccessUnit(nalUnit: Buffer): boolean {
  if (isH264Slice(nalUnit)) return nalUnit.length > 1 && (nalUnit[1]! & 0x80) !== 0
  const type = h264Type(nalUnit)
  return type >= H264_TYPE.sei && type <= H264_TYPE.delimiter
}
