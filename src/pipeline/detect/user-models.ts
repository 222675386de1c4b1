import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type EmbeddedModel, type ModelCard } from './model-card.ts'
import { embeddedModels } from './model-catalog.ts'
import { parseModelJson } from './model-json.ts'

/**
 * A model that users bring: a folder with `model.onnx` and `model.json` in the models' folder. Here only the
 * description is read; whether the ONNX file fits it shows when a process loads it, never in the main process.
 */
export interface UserModel extends ModelCard {
  /** The path of `model.onnx`. */
  readonly file: string
}

export interface UserModels {
  readonly models: readonly UserModel[]
  /** A sentence for every folder that cannot be used. */
  readonly problems: readonly ModelProblem[]
}

export interface ModelProblem {
  readonly folder: string
  readonly sentence: string
}

const MAX_FOLDERS = 200
const GiB = 2 ** 30
/** All files of a model together: weights may stand in files beside `model.onnx`. */
const MAX_BYTES = GiB
const MAX_JSON_BYTES = 2 ** 20

export async function listUserModels(dir: string | undefined): Promise<UserModels> {
  if (dir === undefined) return { models: [], problems: [] }
  const folders = await foldersIn(dir)
  const models: UserModel[] = []
  const problems: ModelProblem[] = []
  for (const folder of folders.slice(0, MAX_FOLDERS)) {
    try {
      const model = await readModel(join(dir, folder))
      if (!model) continue
      checkName(model.name, models)
      models.push(model)
    } catch (error) {
      const sentence = `The model in the folder "${folder}" cannot be used: ${(error as Error).message}.`
      problems.push({ folder, sentence })
    }
  }
  if (folders.length > MAX_FOLDERS) {
    const sentence = `${dir} has more than ${MAX_FOLDERS} folders; only the first ones are used.`
    problems.push({ folder: folders[MAX_FOLDERS]!, sentence })
  }
  return { models, problems }
}

/** The model of this name, embedded or a user's. */
export async function findModel(name: string, dir?: string): Promise<EmbeddedModel | UserModel> {
  const embedded = embeddedModels.find((model) => model.name === name)
  if (embedded) return embedded
  const { models, problems } = await listUserModels(dir)
  const found = models.find((model) => model.name === name)
  if (found) return found
  // A caller that names its folder learns what is wrong with it.
  const problem = problems.find(({ folder }) => folder === name)
  if (problem) throw new Error(problem.sentence)
  const known = [...embeddedModels, ...models].map((model) => model.name).join(', ')
  throw new Error(`There is no model "${name}"; choose one of: ${known}.`)
}

async function foldersIn(dir: string): Promise<string[]> {
  try {
    const names = (await readdir(dir)).filter((name) => !name.startsWith('.')).sort()
    const entries = await Promise.all(names.map(async (name) => ({ name, info: await infoOf(join(dir, name)) })))
    return entries.filter(({ info }) => info?.isDirectory()).map(({ name }) => name)
  } catch (error) {
    throw new Error(`The folder of models ${dir} cannot be read (${(error as NodeJS.ErrnoException).code}).`, {
      cause: error,
    })
  }
}

/** Undefined when the folder has nothing to do with models. */
async function readModel(folder: string): Promise<UserModel | undefined> {
  const file = join(folder, 'model.onnx')
  const [onnx, json] = await Promise.all([infoOf(file), infoOf(join(folder, 'model.json'))])
  if (!onnx && !json) return undefined
  if (!onnx?.isFile()) throw new Error('it has no file model.onnx')
  if (!json?.isFile()) throw new Error('it has no file model.json; docs/models.md says what to write in it')
  if (json.size > MAX_JSON_BYTES) throw new Error('its model.json is larger than 1 MiB')
  const bytes = await folderBytes(folder)
  if (bytes > MAX_BYTES) {
    throw new Error(`its files take ${(bytes / GiB).toFixed(1)} GiB, but ${MAX_BYTES / GiB} GiB is the most`)
  }
  return { ...parseModelJson(await readFile(join(folder, 'model.json'), 'utf8')), file }
}

function checkName(name: string, others: readonly ModelCard[]): void {
  const isEmbedded = embeddedModels.some((model) => model.name === name)
  if (isEmbedded) throw new Error(`the name "${name}" is that of an embedded model; give it another one`)
  const isTaken = others.some((model) => model.name === name)
  if (isTaken) throw new Error(`the name "${name}" is that of another model beside it; give it another one`)
}

async function folderBytes(folder: string): Promise<number> {
  const files = await Promise.all((await readdir(folder)).map((name) => infoOf(join(folder, name))))
  return files.reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0)
}

/** Of what a link points to; undefined when there is nothing. */
async function infoOf(path: string) {
  return stat(path).catch(() => undefined)
}
