/** NAL unit types of H.265 (table 7-1) that the media server distinguishes. 22 and 23 are reserved: no decoder begins there. */
export const H265_TYPE = {
  firstIrap: 16,
  cra: 21,
  lastIrap: 21,
  vps: 32,
  sps: 33,
  pps: 34,
  delimiter: 35,
  sei: 39,
} as const

/** Types that are RTP's own: aggregation packets and fragments (RFC 7798 §4.4). */
export const H265_PACKET_TYPE = { aggregate: 48, fragment: 49 } as const

export const h265Type = (nalUnit: Buffer): number => (nalUnit[0]! >> 1) & 0x3f

/** Types 48–63 can't be carried: RTP has its own use for those numbers (RFC 7798 §4.4). */
export const isCarriableH265 = (nalUnit: Buffer): boolean => nalUnit.length >= 2 && h265Type(nalUnit) < 48

export const isH265Slice = (nalUnit: Buffer): boolean => h265Type(nalUnit) < H265_TYPE.vps

/** An intra random access picture: decoding can begin there. */
export const isH265Irap = (nalUnit: Buffer): boolean => isH265IrapType(h265Type(nalUnit))

/** Of those, one that no later picture refers past: behind a clean random access picture some still may. */
export const isH265ClosedIrap = (nalUnit: Buffer): boolean => isH265Irap(nalUnit) && h265Type(nalUnit) !== H265_TYPE.cra

export const isH265IrapType = (type: number): boolean => type >= H265_TYPE.firstIrap && type <= H265_TYPE.lastIrap

/** A parameter set, delimiter or prefix SEI, or a slice with `first_slice_segment_in_pic_flag`. */
export function beginsH265AccessUnit(nalUnit: Buffer): boolean {
  if (isH265Slice(nalUnit)) return nalUnit.length > 2 && (nalUnit[2]! & 0x80) !== 0
  const type = h265Type(nalUnit)
  return type <= H265_TYPE.delimiter || type === H265_TYPE.sei
}
