import { AerieError, unwrap } from '@aerie/client'
import { trackRequest } from './pending-requests.ts'
import { isSessionOver, signedOut, signOutReasonOf, whoami } from './session.ts'

/** The answer's data. */
export function ask<Data>(answer: Promise<{ data?: Data; error?: unknown; response: Response }>): Promise<Data> {
  return trackRequest(withSession(unwrap(answer)))
}

/** A user who is no longer signed in has to sign in again; one who has just signed out knows. */
export async function withSession<Data>(work: Promise<Data>): Promise<Data> {
  try {
    return await work
  } catch (error) {
    if (isSessionOver(error) && whoami.value) signedOut(signOutReasonOf(error))
    throw error
  }
}

/** The service knows of no such thing; that will not change. */
export const isNotFound = (error: unknown) => error instanceof AerieError && error.code.endsWith('-not-found')

/** What to show the user: the service's own words, or that it is not there. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AerieError) return error.message
  return 'The service does not answer; check the connection.'
}
