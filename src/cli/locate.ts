import { createReadStream } from 'node:fs'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { stdin, stdout, stderr } from 'node:process'
import { createSrtmTerrain } from '../pipeline/geolocate/srtm-terrain.ts'
import { type Terrain } from '../pipeline/geolocate/terrain.ts'
import { type Command, parse, UsageError } from './command.ts'
import { locateLine } from './locate-line.ts'

export const locate: Command = {
  usage: 'locate [FILE] [--terrain DIR]        (without FILE it reads standard input)',
  summary:
    'Put pixels on the Earth: JSON lines {telemetry, pixel: [u, v], width, height, class_name?, bbox?} in, the same with their location out.',
  async run(args) {
    const { values, positionals } = parse(args, { terrain: { type: 'string' } })
    if (positionals.length > 1) throw new UsageError('name one file, or none for standard input')
    const terrain = values.terrain === undefined ? undefined : createSrtmTerrain(values.terrain, tell)
    const input = positionals[0] === undefined ? stdin : createReadStream(positionals[0])
    // readline does not tell of a file that can't be opened.
    const failed = once(input, 'error').then(([error]) => Promise.reject(error as Error))
    await Promise.race([answerAll(input, terrain), failed])
  },
}

async function answerAll(input: NodeJS.ReadableStream, terrain: Terrain | undefined): Promise<void> {
  let number = 0
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    number += 1
    if (line.trim() === '') continue
    try {
      if (!stdout.write(`${JSON.stringify(locateLine(line, terrain))}\n`)) await once(stdout, 'drain')
    } catch (error) {
      tell(`line ${number}: ${(error as Error).message}`)
      process.exitCode = 1
    }
  }
}

function tell(sentence: string): void {
  stderr.write(`aerie: ${sentence}\n`)
}
