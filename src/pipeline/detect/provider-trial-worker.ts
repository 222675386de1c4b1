import { serveParent } from '../../supervise/child-entry.ts'
import { type FromProviderTrial, type ToProviderTrial } from '../messages.ts'
import { tryProvider } from './provider-trial.ts'

/** The process in which an accelerator is tried out: a driver that crashes takes nobody with it. */
const parent = serveParent<ToProviderTrial, FromProviderTrial>(
  ({ provider }) => {
    tryProvider(provider).then(
      () => parent.send({ type: 'works' }),
      // Without our own words about a model: it is not the model's fault.
      ({ cause, message }: Error) =>
        parent.send({ type: 'failed', reason: cause instanceof Error ? cause.message : message }),
    )
  },
  () => {},
)
