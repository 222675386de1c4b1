/** With so many digits behind the point; never −0. */
export function rounded(value: number, digits: number): number {
  const factor = 10 ** digits
  return Math.round(value * factor) / factor + 0
}
