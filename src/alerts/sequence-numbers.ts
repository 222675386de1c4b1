/** Numbers are set aside so many at a time, so that most notifications cost no write for their number. */
const RESERVED = 100

/** Counts the notifications of one alert at one process; no number is used twice, also after a crash. */
export function createSequenceNumbers(reserve: (count: number) => Promise<number>): { next(): Promise<number> } {
  let nextNumber = 1
  let lastReserved = 0

  return {
    async next() {
      if (nextNumber > lastReserved) {
        lastReserved = await reserve(RESERVED)
        nextNumber = lastReserved - RESERVED + 1
      }
      return nextNumber++
    },
  }
}
