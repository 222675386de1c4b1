import { type Clock } from '../core/clock.ts'
import { type InferenceProvider, type ProviderChoice, type WantedProvider } from '../core/inference-provider.ts'
import { type Log } from '../observe/log.ts'
import { type FromProviderTrial, type ToProviderTrial } from '../pipeline/messages.ts'
import { startChild } from '../supervise/child.ts'
import { neverRestart } from '../supervise/restart-policy.ts'

export interface ProviderChoiceDeps {
  readonly clock: Clock
  readonly log: Log
  /** Resolves when a model was computed by it, and rejects with the reason why not; in a process of its own by default. */
  readonly tryOut?: (provider: InferenceProvider) => Promise<void>
}

/** TensorRT compiles what it runs for the first time. */
const TRIAL_MS = 60_000

/** Of those that `auto` finds, CUDA alone is not called experimental by its makers, and ready at once. */
const AUTOMATIC: InferenceProvider = 'cuda'

const entry = new URL('../pipeline/detect/provider-trial-worker.js', import.meta.url)

/** What computes the models from now on: the accelerator that is wanted, if it works, or else the CPU. */
export async function chooseProvider(wanted: WantedProvider, deps: ProviderChoiceDeps): Promise<ProviderChoice> {
  if (wanted === 'cpu') return { used: 'cpu' }
  const { tryOut = (provider) => tryInChild(provider, deps) } = deps
  const provider = wanted === 'auto' ? AUTOMATIC : wanted
  try {
    await tryOut(provider)
    return { used: provider }
  } catch (error) {
    if (wanted === 'auto') return { used: 'cpu' }
    const problem = `AERIE_INFERENCE=${provider} does not work here, so the CPU computes the models: ${(error as Error).message}`
    return { used: 'cpu', problem }
  }
}

function tryInChild(provider: InferenceProvider, { clock, log }: ProviderChoiceDeps): Promise<void> {
  return new Promise((resolve, reject) => {
    // A driver that hangs is killed.
    const deadline = setTimeout(() => finish(() => reject(new Error('it took too long to answer.'))), TRIAL_MS)
    const child = startChild<ToProviderTrial, FromProviderTrial>({
      name: 'provider trial',
      entry,
      clock,
      log,
      restart: neverRestart,
      stopAfterMs: 500,
      onStart: (send) => send({ provider }),
      onMessage: (message) => finish(() => (message.type === 'works' ? resolve() : reject(new Error(message.reason)))),
      onExit: ({ code, signal }) => finish(() => reject(new Error(`its driver crashed (${signal ?? code}).`))),
    })
    function finish(settle: () => void): void {
      clearTimeout(deadline)
      settle()
      void child.stop()
    }
  })
}
