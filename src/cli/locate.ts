import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stderr, stdin } from 'node:process'
import { createInterface } from 'node:readline'
import { createSrtmTerrain } from '../pipeline/geolocate/srtm-terrain.ts'
import { type Terrain } from '../pipeline/geolocate/terrain.ts'
import { type Command, parse, UsageError } from './command.ts'
import { locateLine } from './locate-line.ts'
import { type Output, standardOutput, unreadableFile } from './output.ts'

export const locate: Command = {
  usage: 'locate [FILE] [--terrain DIR]        (without FILE it reads standard input)',
  summary:
    'Put pixels on the Earth: JSON lines {telemetry, pixel: [u, v], width, height, class_name?, bbox?} in, the same with their location out.',
  async run(args) {
    const { values, positionals } = parse(args, { terrain: { type: 'string' } })
    if (positionals.length > 1) throw new UsageError('name one file, or none for standard input')
    const terrain = values.terrain === undefined ? undefined : createSrtmTerrain(values.terrain, printError)
    const [file] = positionals
    const input = file === undefined ? stdin : createReadStream(file)
    // Not every readline reports a file that can't be opened.
    const failed = once(input, 'error').then(([error]) => Promise.reject(error as Error))
    await Promise.race([answerAll(input, terrain, standardOutput()), failed]).catch((error: unknown) => {
      throw unreadableFile(file ?? 'standard input', error)
    })
  },
}

/** Ends with the input, or once nobody reads the answers any more. */
async function answerAll(input: NodeJS.ReadableStream, terrain: Terrain | undefined, output: Output): Promise<void> {
  let number = 0
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    number += 1
    if (line.trim() === '') continue
    const answer = answerTo(line, number, terrain)
    if (answer !== undefined && !(await output.write(answer))) return
  }
}

/** Undefined for a line that is refused, which is reported. */
function answerTo(line: string, number: number, terrain: Terrain | undefined): string | undefined {
  try {
    return `${JSON.stringify(locateLine(line, terrain))}\n`
  } catch (error) {
    printError(`line ${number}: ${(error as Error).message}`)
    process.exitCode = 1
    return undefined
  }
}

function printError(sentence: string): void {
  stderr.write(`aerie: ${sentence}\n`)
}
