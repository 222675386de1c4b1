import { parseArgs, type ParseArgsConfig } from 'node:util'

export interface Command {
  /** What stands after `aerie`. */
  readonly usage: string
  readonly summary: string
  run(args: readonly string[]): Promise<void>
}

/** The command was called in a way that makes no sense; its usage is shown. */
export class UsageError extends Error {}

export function parse<const T extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function toNumber(text: string | undefined, name: string): number {
  const value = Number(text)
  if (text === undefined || text.trim() === '' || !Number.isFinite(value))
    throw new UsageError(`${name} must be a number`)
  return value
}

export function oneOf<const Name extends string>(text: string, names: readonly Name[], option: string): Name {
  const name = names.find((one) => one === text)
  if (name === undefined) throw new UsageError(`${option} must be one of ${names.join(', ')}`)
  return name
}
