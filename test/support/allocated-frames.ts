import { Frame } from 'node-av'
import { onTestFinished, vi } from 'vitest'

/** Says how many of the frames that are allocated from now on have not been freed yet. */
export function watchAllocatedFrames(): () => number {
  const allocated = vi.spyOn(Frame.prototype, 'alloc')
  const freed = vi.spyOn(Frame.prototype, 'free')
  onTestFinished(() => [allocated, freed].forEach((spy) => spy.mockRestore()))
  return () => allocated.mock.contexts.filter((frame) => !freed.mock.contexts.includes(frame)).length
}
