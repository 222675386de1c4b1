import { tinyModels } from './tiny-models.ts'
import { writeModelFolder } from './model-folder.ts'

// `npx vite-node test/models/write.ts DIR` writes a tiny model of each family, to look at or to try AERIE_MODELS_DIR.
const dir = process.argv[2]
if (!dir) throw new Error('Name the folder that the models are written to.')
for (const make of tinyModels) console.log(await writeModelFolder(dir, make()))
