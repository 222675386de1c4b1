import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { LongFilesFirst } from './test/long-files-first.ts'

/** The client's source, which needs no build. */
const conditions = ['aerie-source', ...defaultServerConditions]

// For what hangs: a small machine may be slow, and is busy with other files at the same time.
const onTheRunningService = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

export default defineConfig({
  test: {
    // Two files at a time, which is what a small machine bears where they start real servers; by default it would be one.
    maxWorkers: 2,
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        resolve: { conditions },
        ssr: { resolve: { conditions } },
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.ts',
            'console/src/**/*.test.ts',
            'player/*.test.ts',
            'test/{unit,chaos,soak,fuzz}/**/*.test.ts',
          ],
          globalSetup: ['test/postgres-server.ts', 'test/migrated-databases.ts'],
          setupFiles: 'test/shared-process.ts',
          // For what hangs.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], ...onTheRunningService } },
      { test: { name: 'cluster', include: ['test/cluster/**/*.test.ts'], ...onTheRunningService } },
      { test: { name: 'attacks', include: ['test/attacks/**/*.test.ts'], ...onTheRunningService } },
    ],
  },
})
