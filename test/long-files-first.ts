import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Small files that take long. On a clean clone files run by their size, so these would come last, one of them alone beside an idle core.
 * The first of them collects all garbage dozens of times, which takes the longer the more other files have left in the process.
 */
const LONG_FILES = [
  'test/fuzz/fuzz.test.ts',
  'src/storage/backup.test.ts',
  'src/storage/migrate.test.ts',
  'test/unit/every-route.test.ts',
  'src/enhance/plates/plate-reader.test.ts',
  'src/storage/postgres-pool.test.ts',
  'src/cluster/lease-outage.test.ts',
  'test/unit/import-rules.test.ts',
  'src/pipeline/detection-stages.test.ts',
  'test/unit/taken-processes.test.ts',
  'src/delivery/outbox-outages.test.ts',
  'test/fuzz/run-target.test.ts',
  'src/pipeline/scene-pictures.test.ts',
  'test/unit/notifications-in-outages.test.ts',
  'src/enhance/colour/vehicle-colour.test.ts',
]

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG_FILES.indexOf(relative(this.ctx.config.root, moduleId))
      return place === -1 ? LONG_FILES.length : place
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
