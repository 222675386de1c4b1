import { type Delivery, UnacceptableError } from '../core/delivery.ts'
import { type SumBody } from '../core/letter.ts'
import { type Clock } from '../core/clock.ts'
import { type JobKind } from '../storage/job-kind.ts'
import { type ContactTurnStore, type SumOf } from './contact-turns.store.ts'

export interface SumDeps {
  readonly store: Pick<ContactTurnStore, 'listHeld' | 'beginSum' | 'endSum'>
  readonly delivery: Pick<Delivery, 'leave'>
  readonly clock: Pick<Clock, 'now'>
}

const EVERY_MS = 10_000

/**
 * Sums up what was held back, once the minute or the quiet hours are over. What is to be sent is set apart first and taken away when it
 * is in the outbox, by the same id: a crash in between sends it anew, and the outbox takes it once.
 */
export function createContactSums({ store, delivery, clock }: SumDeps): JobKind {
  async function send(contactId: string, { accountId, processId, sum }: SumOf): Promise<void> {
    const { id, ...contact_sum } = sum
    const body = JSON.stringify({ contact_sum } satisfies SumBody)
    const destination = { kind: 'contact', contactId } as const
    const channel = `contact:${contactId}:${processId}`
    await delivery
      .leave({ id, channel, accountId, processId, destination, body, createdAtMs: clock.now() })
      .catch((error: unknown) => {
        if (!(error instanceof UnacceptableError)) throw error
      })
    await store.endSum(contactId, id)
  }

  return {
    kind: 'contact-sums',
    everyMs: EVERY_MS,
    async handle() {
      for (const contactId of await store.listHeld()) {
        const begun = await store.beginSum(contactId, clock.now())
        if (begun) await send(contactId, begun)
      }
    },
  }
}
