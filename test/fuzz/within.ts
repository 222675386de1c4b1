/** Rejects with the complaint when the work takes longer: for what would hang. */
export async function within<T>(ms: number, work: Promise<T>, complaint: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error(complaint)), ms)))
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
