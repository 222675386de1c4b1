import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tinyModels } from '../../models/tiny-models.ts'
import { databaseParent } from '../../support/database-parent.ts'
import { createChildPool } from '../child-pool.ts'
import { type ModelAnswer, type ModelQuestion } from '../children/model-messages.ts'
import { type Json, mutateJson } from '../mutate-json.ts'
import { mutateProtobuf } from '../mutate-protobuf.ts'
import { joinParts, splitParts } from '../parts.ts'
import { type FuzzTarget } from '../target.ts'

const PARALLEL = 2
const MAX_MEMORY_BYTES = 2 ** 31
const TOO_MUCH: ModelAnswer = { type: 'refused', sentence: 'It takes too much memory.', isExpected: true }

/** Models that users bring are loaded and computed by ONNX Runtime, in processes that may end by it. */
export const onnx: FuzzTarget = {
  name: 'onnx',
  about: 'models of every family, with their descriptions, to ONNX Runtime, in processes of its own',
  counts: { short: 20, long: 5_000 },
  parallel: PARALLEL,
  open() {
    const folder = mkdtempSync(join(databaseParent(), 'aerie-fuzz-models-'))
    const models = tinyModels.map((make) => make())
    const workers = createChildPool<ModelQuestion, ModelAnswer>(PARALLEL, {
      entry: new URL('../children/models.ts', import.meta.url),
      isAnswer: (message): message is ModelAnswer => ['detections', 'refused'].includes((message as ModelAnswer).type),
      maxMemory: { bytes: MAX_MEMORY_BYTES, answer: TOO_MUCH },
    })
    let made = 0
    return {
      create(random) {
        const { onnx: graph, json } = random.pick(models)
        const description = random.oneIn(6) ? mutateJson(json as Json, random) : Buffer.from(JSON.stringify(json))
        return joinParts([mutateProtobuf(Buffer.from(graph), random), description])
      },
      async feed(input) {
        const [graph = Buffer.alloc(0), description = Buffer.alloc(0)] = splitParts(input)
        const dir = join(folder, String(made++))
        await mkdir(join(dir, 'model'), { recursive: true })
        await writeFile(join(dir, 'model', 'model.onnx'), graph)
        await writeFile(join(dir, 'model', 'model.json'), description)
        const answer = await workers.ask({ dir, name: nameIn(description) })
        await rm(dir, { recursive: true })
        if (answer.type === 'refused' ? !answer.isExpected : !answer.areNumbers) throw new Error(JSON.stringify(answer))
      },
      pids: () => workers.pids(),
      async close() {
        await workers.close()
        rmSync(folder, { recursive: true })
      },
    }
  },
}

/** As a description calls its model; of one that says nothing, the folder’s. */
function nameIn(description: Buffer): string {
  return /"name":"([^"]*)"/.exec(description.toString('latin1'))?.[1] ?? 'model'
}
