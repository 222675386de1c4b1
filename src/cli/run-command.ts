import { ConfigError } from '../config/config.ts'
import { AppError } from '../core/errors.ts'
import { type Command, UsageError } from './command.ts'

// Whatever a command makes (the database, keys, recordings) is for its owner only, also in a folder that others may read.
process.umask(0o077)

/** What it says when it fails is a sentence; ends the process then. */
export async function runCommand(command: Command, args: string[]): Promise<void> {
  if (['--help', '-h'].some((flag) => args.includes(flag)))
    return void process.stdout.write(`Usage: aerie ${command.usage}\n\n${command.summary}\n`)
  try {
    await command.run(args)
  } catch (error) {
    if (error instanceof UsageError) fail(`${error.message}\nUsage: aerie ${command.usage}`, 2)
    const isOurs = error instanceof ConfigError || error instanceof AppError
    const wantsStack = process.env['AERIE_LOG_LEVEL'] === 'debug'
    fail(wantsStack && !isOurs ? String((error as Error).stack) : (error as Error).message, 1)
  }
}

export function fail(sentence: string, code: number): never {
  process.stderr.write(`aerie: ${sentence}\n`)
  process.exit(code)
}
