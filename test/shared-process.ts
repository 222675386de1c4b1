import { afterAll, afterEach, vi } from 'vitest'

// Files of unit tests run in one process after each other, with the modules that are already loaded: what a file replaces
// in it goes back to what it was.
afterEach(() => void vi.useRealTimers())
afterAll(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
