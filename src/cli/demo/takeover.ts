import { type Clock } from '../../core/clock.ts'

/** What is seen of the service while one of its nodes is gone. */
export interface TakeoverView {
  isDead(node: string): Promise<boolean>
  /** The node that has the process; undefined while none has it. */
  nodeOfProcess(): Promise<string | undefined>
  /** When the latest picture was looked at, while the process runs; undefined while it does not. */
  lastPictureAtMs(): Promise<number | undefined>
}

export interface TakeoverDeps {
  readonly view: TakeoverView
  readonly say: (sentence: string) => void
  readonly clock: Pick<Clock, 'now' | 'steady' | 'sleep'>
  readonly signal: AbortSignal
}

const LOOK_EVERY_MS = 200
const MAX_MS = 180_000

/** Says what becomes of the process of a node that was killed just now. Resolves when it goes on, or when nobody waits for that any more. */
export async function followTakeover(dead: string, { view, say, clock, signal }: TakeoverDeps): Promise<void> {
  const killedAtMs = clock.now()
  const since = clock.steady()
  const passed = () => `${((clock.steady() - since) / 1000).toFixed(1)} s`

  async function until<T>(look: () => Promise<T | undefined | false>): Promise<T | undefined> {
    while (!signal.aborted && clock.steady() - since < MAX_MS) {
      const seen = await look()
      if (seen !== undefined && seen !== false) return seen
      await clock.sleep(LOOK_EVERY_MS, signal)
    }
    return undefined
  }
  const giveUp = (what: string) => {
    if (!signal.aborted) say(`After ${passed()} ${what}; what the nodes logged is above.`)
  }

  if (!(await until(() => view.isDead(dead)))) return giveUp(`${dead} still has not been declared dead`)
  say(`After ${passed()}: the others have declared ${dead} dead.`)
  const heir = await until(async () => {
    const node = await view.nodeOfProcess()
    return node !== dead && node
  })
  if (!heir) return giveUp('no node has taken the process')
  say(`After ${passed()}: ${heir} has the process.`)
  const isSeeing = await until(async () => ((await view.lastPictureAtMs()) ?? 0) > killedAtMs)
  if (!isSeeing) return giveUp(`the process does not go on at ${heir}`)
  say(`After ${passed()}: it goes on at ${heir}, under the same process_uuid, with the same alert and webhook.`)
}
