import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { writeChildScript } from '../../test/support/child-script.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { systemClock } from '../core/clock.ts'
import { childArguments, endOrphans, markChildren } from './orphans.ts'

const folder = useTemporaryFolder('orphans-')

/** Stands still, with the mark that children have now. */
async function startStopped(): Promise<ReturnType<typeof fork>> {
  const child = fork(writeChildScript('setInterval(() => {}, 1_000); process.send("here")'), childArguments())
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'message')
  child.kill('SIGSTOP')
  return child
}

test('children of an earlier service on the same folder are ended, also stopped ones; others are left alone', async () => {
  const mark = markChildren(folder())
  expect(await endOrphans(mark, systemClock)).toBe(0)
  const orphan = await startStopped()
  markChildren(import.meta.dirname)
  const neighbour = await startStopped()
  const ended = once(orphan, 'exit')
  expect(await endOrphans(mark, systemClock)).toBe(1)
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(neighbour.exitCode ?? neighbour.signalCode).toBeNull()
})
