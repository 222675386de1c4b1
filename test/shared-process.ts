import { afterAll, afterEach, vi } from 'vitest'

// Files of unit tests run in one process after each other, with the modules that are already loaded: what a file replaces
// in it goes back to what it was.
const ofTheRunner = process.stdout.listeners('error')
afterEach(() => {
  vi.useRealTimers()
  // A command listens to its output until its process ends, and here many commands share one.
  for (const listener of process.stdout.listeners('error') as (() => void)[])
    if (!ofTheRunner.includes(listener)) process.stdout.off('error', listener)
})
afterAll(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
