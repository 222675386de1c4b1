import { RtspClientError } from '../rtsp/client/client-error.ts'
import { type WebrtcRefusalReason } from '../messages.ts'
import { OfferError } from './offer.ts'

/** Why an offer is not answered. */
export class GatewayRefusal extends Error {
  readonly reason: WebrtcRefusalReason

  constructor(reason: WebrtcRefusalReason, sentence: string) {
    super(sentence)
    this.name = 'GatewayRefusal'
    this.reason = reason
  }
}

export function toRefusal(error: unknown): GatewayRefusal {
  if (error instanceof GatewayRefusal) return error
  return new GatewayRefusal(reasonOf(error), (error as Error).message)
}

function reasonOf(error: unknown): WebrtcRefusalReason {
  if (error instanceof OfferError) return 'offer-invalid'
  switch (error instanceof RtspClientError ? error.status : undefined) {
    case 404:
    case 415:
    case 502:
      return 'not-live'
    case 409:
      return 'path-in-use'
    // Our own token is good for the path, so a limit of the path's owner is reached.
    case 403:
      return 'limit-reached'
    default:
      return 'unavailable'
  }
}
