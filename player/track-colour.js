/**
 * Neighbouring ids are far apart on the wheel (by the golden angle); all are bright enough for black text on them.
 * @param {number} trackId
 * @returns {string}
 */
export function trackColour(trackId) {
  return `hsl(${Math.round((trackId * 137.508) % 360)} 95% 65%)`
}
