/** What is not measured yet. */
const UNKNOWN = '–'

export const coresWords = (cores: number | null) => cores?.toFixed(2) ?? UNKNOWN

/** Pictures a second, of those that come. */
export function ofWords(processedFps: number | null, inputFps: number | null): string {
  if (processedFps === null || inputFps === null) return UNKNOWN
  return `${processedFps.toFixed(1)} of ${inputFps.toFixed(1)} fps`
}

export interface Room {
  readonly model: string
  readonly streams: number
}

export function roomWords(room: readonly Room[]): string {
  return room.map(({ model, streams }) => `${streams} with ${model}`).join(', ')
}
