import { AerieError, unwrap } from '@aerie/client'
import { farewellOf, isSessionOver, signedOut } from './session.ts'

/** The answer's data. */
export function ask<Data>(answer: Promise<{ data?: Data; error?: unknown; response: Response }>): Promise<Data> {
  return withSession(unwrap(answer))
}

/** Whoever is no longer signed in is asked to sign in again. */
export async function withSession<Data>(work: Promise<Data>): Promise<Data> {
  try {
    return await work
  } catch (error) {
    if (isSessionOver(error)) signedOut(farewellOf(error))
    throw error
  }
}

/** The service knows of no such thing; that will not change. */
export const isNotFound = (error: unknown) => error instanceof AerieError && error.code.endsWith('-not-found')

/** What to tell the user: the service's own words, or that it is not there. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AerieError) return error.message
  return 'The service does not answer; check the connection.'
}
