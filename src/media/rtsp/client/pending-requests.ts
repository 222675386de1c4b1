import { createDeadline } from '../../../core/deadline.ts'
import { createDeferred } from '../../../core/deferred.ts'
import { type RtspResponse } from '../wire/message.ts'

/** Requests that were sent and not answered yet, each with its timeout. */
export interface PendingRequests {
  /** `onTimeout` decides what becomes of it: until it is rejected, it waits on. */
  add(onTimeout: (cseq: number) => void): { readonly cseq: number; readonly response: Promise<RtspResponse> }
  /** Some servers count wrongly, or not at all: then responses belong to requests in their order. */
  resolve(response: RtspResponse): void
  reject(cseq: number, error: Error): void
  rejectAll(error: Error): void
}

interface PendingRequest {
  readonly cseq: number
  resolve(response: RtspResponse): void
  reject(error: Error): void
}

export function createPendingRequests(timeoutMs: number): PendingRequests {
  const pending: PendingRequest[] = []
  let lastCseq = 0

  return {
    add(onTimeout) {
      const cseq = ++lastCseq
      const response = createDeferred<RtspResponse>()
      const deadline = createDeadline(() => onTimeout(cseq))
      deadline.set(timeoutMs)
      pending.push({
        cseq,
        resolve: (received) => (deadline.clear(), response.resolve(received)),
        reject: (error) => (deadline.clear(), response.reject(error)),
      })
      return { cseq, response: response.promise }
    },
    resolve(response) {
      const cseq = Number(response.headers.get('cseq') ?? NaN)
      const index = pending.findIndex((request) => request.cseq === cseq)
      pending.splice(Math.max(0, index), 1)[0]?.resolve(response)
    },
    reject(cseq, error) {
      const index = pending.findIndex((request) => request.cseq === cseq)
      if (index >= 0) pending.splice(index, 1)[0]!.reject(error)
    },
    rejectAll(error) {
      for (const request of pending.splice(0)) request.reject(error)
    },
  }
}
