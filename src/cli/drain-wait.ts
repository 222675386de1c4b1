import { type Clock } from '../core/clock.ts'
import { type NodeId } from '../core/node.ts'
import { type KnownNode } from './known-nodes.ts'

export interface DrainWaitDeps {
  readonly find: (id: NodeId) => Promise<Pick<KnownNode, 'id' | 'state' | 'isDraining' | 'work'>>
  readonly say: (sentence: string) => void
  readonly clock: Pick<Clock, 'steady' | 'sleep'>
}

const POLL_EVERY_MS = 2_000

/** Resolves when the node has given away what it can. What it keeps is reported. */
export async function waitForDrained(id: NodeId, maxMs: number, { find, say, clock }: DrainWaitDeps): Promise<void> {
  const untilMs = clock.steady() + maxMs
  let reported = ''
  for (;;) {
    const node = await find(id)
    if (node.state === 'dead') return say(`${id} has left; others go on with what it had.`)
    if (!node.isDraining) throw new Error(`${id} is not draining any more: somebody has undone it.`)
    const left = leftWords(node)
    if (left === '') return say(doneWords(node))
    if (left !== reported) say(`${id} still has ${left}.`)
    reported = left
    if (clock.steady() >= untilMs)
      throw new Error(
        `${id} still has ${left} after ${Math.round(maxMs / 1000)} s. It goes on giving it away; its log says what no other node takes.`,
      )
    await clock.sleep(POLL_EVERY_MS)
  }
}

/** What others could take; empty when there is nothing. */
function leftWords({ work: { processes, files, cameras } }: Pick<KnownNode, 'work'>): string {
  return [countWords(processes - files, 'process', 'processes'), countWords(cameras, 'camera', 'cameras')]
    .filter((words) => words !== '')
    .join(' and ')
}

function doneWords({ id, work: { files, streams } }: Pick<KnownNode, 'id' | 'work'>): string {
  const kept = [
    countWords(files, 'video file is still processed there', 'video files are still processed there'),
    countWords(streams, 'stream is published to it', 'streams are published to it'),
  ].filter((words) => words !== '')
  const rest = kept.length === 0 ? '' : ` But ${kept.join(', and ')}: stopping it ends that there.`
  return `${id} has given everything away.${rest}`
}

function countWords(count: number, one: string, many: string): string {
  return count <= 0 ? '' : `${count} ${count === 1 ? one : many}`
}
