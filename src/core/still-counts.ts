import { AppError } from './errors.ts'

/** Whether a key that was asked about still counts. What is no refusal, such as a database that is away, rejects. */
export async function stillCounts(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
