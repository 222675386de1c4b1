/** Neighbouring ids are far apart on the wheel (by the golden angle); all are bright enough for black text on them. */
export function trackColour(trackId: number): string {
  return `hsl(${Math.round((trackId * 137.508) % 360)} 95% 65%)`
}
