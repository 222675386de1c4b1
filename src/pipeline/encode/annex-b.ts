const START_CODE = Buffer.of(0, 0, 1)

/** The NAL units of an H.264 byte stream (ITU-T H.264 annex B), without start codes and the zeros around them; views into `data`. */
export function nalUnitsOf(data: Buffer): Buffer[] {
  const nalUnits: Buffer[] = []
  let code = data.indexOf(START_CODE)
  while (code >= 0) {
    const from = code + START_CODE.length
    code = data.indexOf(START_CODE, from)
    let to = code < 0 ? data.length : code
    // A start code of four bytes has one more zero in front; a unit itself never ends with one.
    while (to > from && data[to - 1] === 0) to--
    if (to > from) nalUnits.push(data.subarray(from, to))
  }
  return nalUnits
}
