import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { type Command, parse, toNumber, UsageError } from './command.ts'
import { standardOutput } from './output.ts'

export const track: Command = {
  usage: 'track DET.txt|- [--fps 30]',
  summary:
    'Follow detections in the MOTChallenge form (frame,-1,x,y,width,height,confidence; - reads standard input) ' +
    'and print the tracks in the same (frame,id,x,y,width,height,1,-1,-1,-1).',
  async run(args) {
    const { values, positionals } = parse(args, { fps: { type: 'string', default: '30' } })
    const [file] = positionals
    if (!file || positionals.length > 1) throw new UsageError('name one file of detections, or - for standard input')
    const fps = toNumber(values.fps, '--fps')
    if (fps <= 0) throw new UsageError('--fps must be above 0')

    const { trackMot } = await import('../pipeline/track/mot.ts')
    const detections = await (file === '-' ? text(process.stdin) : readDetections(file))
    await standardOutput().write(trackMot(detections, { fps }))
  },
}

async function readDetections(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new Error(isMissing ? `There is no file ${file}.` : `${file} cannot be read: ${(error as Error).message}.`)
  })
}
