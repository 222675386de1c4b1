import { join } from 'node:path'
import { openSpoolFile } from '../../src/delivery/spool-file.ts'
import { createSpoolIndex, valueOf } from '../../src/delivery/spool-index.ts'

/** What waits in the spool of a service, of one kind and in its order, as the disk has it. */
export async function readSpoolOnDisk<Value>(dataDir: string, kind: string): Promise<Value[]> {
  const opened = await openSpoolFile(join(dataDir, 'delivery.spool'))
  if (!opened) throw new Error('the spool cannot be read')
  await opened.file.close()
  const index = createSpoolIndex()
  for (const payload of opened.payloads) index.replay(payload)
  return index.list(kind, Infinity).map((entry) => valueOf<Value>(entry))
}
