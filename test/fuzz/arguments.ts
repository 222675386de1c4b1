import { parseArgs } from 'node:util'
import { type RunOptions } from './run-target.ts'
import { type FuzzTarget } from './target.ts'

export interface FuzzArguments {
  readonly targets: readonly FuzzTarget[]
  readonly seed: number
  /** Undefined for the long form: as many inputs as each target says. */
  readonly limit: RunOptions['limit'] | undefined
}

export const USAGE = 'npm run fuzz -- [NAME…] [--seconds N | --count N] [--seed N]'

/** Throws a sentence about what is wrong with them. */
export function parseFuzzArguments(args: readonly string[], known: readonly FuzzTarget[]): FuzzArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { seconds: { type: 'string' }, count: { type: 'string' }, seed: { type: 'string' } },
  })
  const names = known.map(({ name }) => name)
  const unknown = positionals.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`There is no target ${unknown.join(', ')}; there are: ${names.join(', ')}.`)
  const [seconds, count, seed] = [values.seconds, values.count, values.seed].map(toNumber)
  if (seconds !== undefined && count !== undefined) throw new Error('Give --seconds or --count, not both.')
  return {
    targets: positionals.length === 0 ? known : known.filter(({ name }) => positionals.includes(name)),
    seed: seed ?? Date.now() % 1_000_000,
    limit: seconds !== undefined ? { seconds } : count !== undefined ? { count } : undefined,
  }
}

function toNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0)
    throw new Error(`${text} is no count; give a whole number from 1 on.`)
  return Number(text)
}
