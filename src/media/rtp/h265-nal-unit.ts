/** NAL unit types of H.265 (table 7-1) that the media server tells apart. */
export const H265_TYPE = { firstIrap: 16, lastIrap: 23, vps: 32, sps: 33, pps: 34, delimiter: 35, sei: 39 } as const

export const h265Type = (nalUnit: Buffer): number => (nalUnit[0]! >> 1) & 0x3f

/** Types 48–63 can't be carried: RTP has its own use for those numbers (RFC 7798 §4.4). */
export const isCarriableH265 = (nalUnit: Buffer): boolean => nalUnit.length >= 2 && h265Type(nalUnit) < 48

export const isH265Slice = (nalUnit: Buffer): boolean => h265Type(nalUnit) < H265_TYPE.vps

/** An intra random access picture: decoding can begin there. */
export function isH265Irap(nalUnit: Buffer): boolean {
  const type = h265Type(nalUnit)
  return type >= H265_TYPE.firstIrap && type <= H265_TYPE.lastIrap
}

/** A parameter set, delimiter or prefix SEI, or a slice with `first_slice_segment_in_pic_flag`. */
export function beginsH265AccessUnit(nalUnit: Buffer): boolean {
  if (isH265Slice(nalUnit)) return nalUnit.length > 2 && (nalUnit[2]! & 0x80) !== 0
  const type = h265Type(nalUnit)
  return type <= H265_TYPE.delimiter || type === H265_TYPE.sei
}
