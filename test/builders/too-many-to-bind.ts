/** More values than any database takes in one statement (PostgreSQL takes 65,535). */
export function tooManyToBind(): string[] {
  return Array.from({ length: 70_000 }, (_, index) => `other ${index}`)
}
