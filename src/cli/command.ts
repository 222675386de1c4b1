import { parseArgs, type ParseArgsConfig } from 'node:util'
import { nearestWord } from '../core/nearest-word.ts'

export interface Command {
  /** What stands after `aerie`. */
  readonly usage: string
  readonly summary: string
  run(args: readonly string[]): Promise<void>
}

/** The command was called in a way that makes no sense; its usage is shown. */
export class UsageError extends Error {}

type Option = NonNullable<ParseArgsConfig['options']>[string] & {
  /** All that it may be, where that is a short list. */
  readonly values?: readonly string[]
}
type Options = Readonly<Record<string, Option>>

export function parse<const T extends Options>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(sentenceOf(error as NodeJS.ErrnoException, options))
  }
}

/** Node names the option in quotes, `'--minutes <value>'`, behind its short form if it has one. */
function sentenceOf({ code, message }: NodeJS.ErrnoException, options: Options): string {
  const option = /'(?:-\w, )?(-[^' ]+)/.exec(message)?.[1]
  if (option === undefined) return message
  const name = option.replace(/^-+/, '')
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const meant = nearestWord(name, Object.keys(options))
    return `there is no option ${option}${meant ? `; do you mean --${meant}?` : ''}`
  }
  const { type, values } = options[name] ?? {}
  if (type === 'boolean') return `${option} takes no value`
  if (values) return `${option} needs a value: ${values.join(' or ')}`
  return `${option} needs a value; one that begins with - goes behind =, as in ${option}=-5`
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

export function toNumberWithin(text: string | undefined, name: string, min: number, max: number): number {
  const value = toNumber(text, name)
  if (value < min || value > max) throw new UsageError(`${name} must be from ${min} to ${max}`)
  return value
}

export function oneOf<const Name extends string>(text: string, names: readonly Name[], option: string): Name {
  const name = names.find((one) => one === text)
  if (name === undefined) throw new UsageError(`${option} must be one of ${names.join(', ')}`)
  return name
}
