import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { type Command, parse, toNumber, UsageError } from './command.ts'
import { standardOutput, unreadableFile } from './output.ts'

export const track: Command = {
  usage: 'track DET.txt|- [--fps 30] [--model airborne] [--size 1920x1080]',
  summary:
    'Follow detections in the MOTChallenge form (frame,-1,x,y,width,height,confidence; - reads standard input) ' +
    'and print the tracks in the same (frame,id,x,y,width,height,1,-1,-1,-1). ' +
    '--model names the model that they are from, whose objects are followed as a process would; --size says how large the pictures are, so that nothing is looked for beyond them.',
  async run(args) {
    const { values, positionals } = parse(args, {
      fps: { type: 'string', default: '30' },
      model: { type: 'string' },
      size: { type: 'string' },
    })
    const [file] = positionals
    if (!file || positionals.length > 1) throw new UsageError('name one file of detections, or - for standard input')
    const fps = toNumber(values.fps, '--fps')
    if (fps <= 0) throw new UsageError('--fps must be above 0')
    const size = values.size === undefined ? undefined : toSize(values.size)

    const { trackMot } = await import('../pipeline/track/mot.ts')
    const { findEmbeddedModel } = await import('../pipeline/detect/model-catalog.ts')
    const model = values.model === undefined ? undefined : findEmbeddedModel(values.model)
    const detections = await (file === '-' ? text(process.stdin) : readDetections(file))
    await standardOutput().write(trackMot(detections, { fps, size, model }))
  },
}

function toSize(text: string): { width: number; height: number } {
  const [, width, height] = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(text) ?? []
  if (!width || !height) throw new UsageError('--size must be width and height in pixels, as in 1920x1080')
  return { width: Number(width), height: Number(height) }
}

async function readDetections(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadableFile(file, error)
  })
}
