/** Clocks that differ make delays negative, which a reader should not have to turn around. */
export function arrivalText(delayMs: number, of: string): string {
  if (delayMs >= 0) return `${delayMs} ms after ${of}`
  return `${-delayMs} ms before ${of}: that clock is ahead of this machine’s`
}

export function skewText(skewMs: number): string {
  return skewMs < 0 ? `${-skewMs} ms earlier` : `${skewMs} ms later`
}
