import { type Delivery } from '../core/delivery.ts'
import { type Alert } from './alert.ts'
import { type Engine } from './engine.ts'
import { type SpooledSequences } from './spooled-sequences.ts'

export interface AlertRemovalDeps {
  readonly engine: Pick<Engine, 'discard'>
  readonly sequences: Pick<SpooledSequences, 'channelsOf' | 'removeAlert'>
  readonly delivery: Pick<Delivery, 'drop'>
}

/** Ends what runs here of an alert that is no more, and drops what waits of it; answers by which channels it sent. */
export async function discardAlert(
  { id, accountId }: Pick<Alert, 'id' | 'accountId'>,
  { engine, sequences, delivery }: AlertRemovalDeps,
  knownChannels: readonly string[] = [],
): Promise<string[]> {
  await engine.discard({ id, accountId })
  const channels = [...new Set([...(await sequences.channelsOf(id)), ...knownChannels])]
  for (const channel of channels) await delivery.drop(channel)
  await sequences.removeAlert(id, accountId)
  return channels
}
