import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TinyModel } from './tiny-models.ts'

/** Writes a model as users bring it: a folder of its own in `dir`, by default named like the model. */
export async function writeModelFolder(dir: string, { onnx, json }: TinyModel, folder?: string): Promise<string> {
  const path = join(dir, folder ?? String(json['name']))
  await mkdir(path, { recursive: true })
  await writeFile(join(path, 'model.onnx'), onnx)
  await writeFile(join(path, 'model.json'), `${JSON.stringify(json, null, 2)}\n`)
  return path
}
